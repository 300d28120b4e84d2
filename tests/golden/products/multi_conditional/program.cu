#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Fill an antidiagonal of a Smith-Waterman matrix from the two antidiagonals before it. read[i] and
// reference[i] are the symbols that cell i compares, so that one of the sequences runs in reverse. The cell's
// neighbors are previous[i] (above), previous[i + 1] (left) and before_previous[i] (diagonal). Border cells
// are set elsewhere. mismatch and gap are positive penalties.
__global__ void smith_waterman_cell(const int* __restrict__ read, const int* __restrict__ reference,
                                    int match, int mismatch, int gap, const int* __restrict__ before_previous,
                                    const int* __restrict__ previous, int* __restrict__ cells, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int above = previous[i];
    const int left = previous[i + 1];
    int score = before_previous[i];
    if (read[i] == reference[i]) {
        score += match;
    } else {
        score -= mismatch;
    }
    const int best = max(score, max(above, left) - gap);
    cells[i] = max(best, 0);
}

cudaError_t launch_smith_waterman_cell(const int* read, const int* reference, int match, int mismatch,
                                       int gap, const int* before_previous, const int* previous, int* cells,
                                       int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    smith_waterman_cell<<<grid, block, 0, stream>>>(read, reference, match, mismatch, gap, before_previous,
                                                    previous, cells, n);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
        CUDA_CHECK(cudaMalloc(&device, bytes));
        CUDA_CHECK(cudaMemset(device, 0, bytes));
    }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> read(n), reference(n), before_previous(n), previous(n + 1), cells(n);
    const int match = 2, mismatch = 3, gap = 3;
    fill_integers(read, 0x2370168f, 4);
    fill_integers(reference, 0x9c9df0a2, 4);
    fill_integers(before_previous, 0xa44fd9fd, 12);
    fill_integers(previous, 0xf07bd7fc, 12);
    CUDA_CHECK(launch_smith_waterman_cell(read.device, reference.device, match, mismatch, gap,
                                          before_previous.device, previous.device, cells.device, n));
    cells.download();
    double sum = 0.0;
    for (size_t i = 0; i < cells.count; ++i) sum += cells.host[i];
    std::printf("cells: first %g, last %g, sum %.9g\n", double(cells.host[0]),
                double(cells.host[cells.count - 1]), sum);
    return 0;
}
