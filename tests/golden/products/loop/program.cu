#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int COLUMNS = 12;
constexpr int COSTS_COLS = 13;
constexpr int WORDS_COLS = 12;

// Length of the longest common subsequence of each row and one sequence. A thread keeps one row of the table,
// in costs.
__global__ void lcs_length(const int* __restrict__ words, const int* __restrict__ target,
                           int* __restrict__ costs, int* __restrict__ lengths, int count) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;

    for (int j = 0; j <= COLUMNS; ++j) {
        costs[s * COSTS_COLS + j] = 0;
    }
    for (int i = 0; i < WORDS_COLS; ++i) {
        int diagonal = costs[s * COSTS_COLS];
        for (int j = 1; j <= COLUMNS; ++j) {
            const int index = s * COSTS_COLS + j;
            const int above = costs[index];
            if (words[s * WORDS_COLS + i] == target[j - 1]) {
                costs[index] = diagonal + 1;
            } else {
                costs[index] = max(above, costs[index - 1]);
            }
            diagonal = above;
        }
    }
    lengths[s] = costs[s * COSTS_COLS + COLUMNS];
}

cudaError_t launch_lcs_length(const int* words, const int* target, int* costs, int* lengths, int count,
                              cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    if (count > INT_MAX / COSTS_COLS) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    lcs_length<<<grid, block, 0, stream>>>(words, target, costs, lengths, count);
    return cudaGetLastError();
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

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int count = 65;
    Array<int> words(count * 12), target(12), costs(count * 13), lengths(count);
    fill_integers(words, 0x2370168f, 4);
    fill_integers(target, 0x9c9df0a2, 4);
    CUDA_CHECK(launch_lcs_length(words.device, target.device, costs.device, lengths.device, count));
    print_output("costs", costs);
    print_output("lengths", lengths);
    return 0;
}
