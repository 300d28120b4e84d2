#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int BITS = 8;

// Return the cell (x, y) at a position of the Hilbert curve, built from the finest level to the coarsest.
__device__ int2 hilbert_point(int index) {
    int x = 0;
    int y = 0;
    int rest = index;
    for (int level = 0; level < BITS; ++level) {
        const int side = 1 << level;
        const int right = (rest >> 1) & 1;
        const int upper = (rest ^ right) & 1;
        if (upper == 0) {
            if (right == 1) {
                x = side - 1 - x;
                y = side - 1 - y;
            }
            const int swapped = x;
            x = y;
            y = swapped;
        }
        x += side * right;
        y += side * upper;
        rest >>= 2;
    }
    return make_int2(x, y);
}

// Find the cells at given positions of the Hilbert curve of order 8, and the Manhattan distance from each to
// the next cell of the curve.
__global__ void hilbert_decode(const int* __restrict__ indices, int2* __restrict__ cells,
                               int* __restrict__ jumps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int2 cell = hilbert_point(indices[i]);
    const int2 following = hilbert_point((indices[i] + 1) & ((1 << (2 * BITS)) - 1));
    cells[i] = cell;
    jumps[i] = abs(following.x - cell.x) + abs(following.y - cell.y);
}

cudaError_t launch_hilbert_decode(const int* indices, int2* cells, int* jumps, int n,
                                  cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    hilbert_decode<<<grid, block, 0, stream>>>(indices, cells, jumps, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

template <typename T>
void print_output(const char* name, Array<T, int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000;
    Array<int> indices(n), jumps(n);
    Array<int2, int> cells(n);
    for (size_t i = 0; i < indices.count; ++i) indices.host[i] = pcg(0x2370168f + i) % 65536;
    indices.upload();
    CUDA_CHECK(launch_hilbert_decode(indices.device, cells.device, jumps.device, n));
    print_output("cells", cells);
    print_output("jumps", jumps);
    return 0;
}
