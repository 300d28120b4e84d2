#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int BLOCK_WORDS = 4;

// Answer rank queries on a bit vector: count the ones before each position. `block_ranks` holds the number of
// ones before each block of BLOCK_WORDS words; the rest is counted within the block.
// Precondition: elements of queries lie in [0, 128 * (n / 8 + 1)).
__global__ void rank_queries(const uint32_t* __restrict__ bits, const int* __restrict__ block_ranks,
                             const int* __restrict__ queries, int* __restrict__ ranks, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int position = queries[i];
    const int word = position >> 5;
    const int block = word / BLOCK_WORDS;
    int rank = block_ranks[block];
    for (int w = block * BLOCK_WORDS; w < word; ++w) {
        rank += __popc(bits[w]);
    }
    const uint32_t below = (1u << (position & 31)) - 1u;
    ranks[i] = rank + __popc(bits[word] & below);
}

cudaError_t launch_rank_queries(const uint32_t* bits, const int* block_ranks, const int* queries, int* ranks,
                                int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    if (int64_t(n) / 8 + 1 > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    rank_queries<<<grid, block, 0, stream>>>(bits, block_ranks, queries, ranks, n);
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

template <typename T>
void fill_integers(Array<T>& x, unsigned seed, long long end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000;
    Array<uint32_t> bits(4 * (n / 8 + 1));
    Array<int> block_ranks(n / 8 + 1), queries(n), ranks(n);
    fill_integers(bits, 0x2370168f, 4294967295);
    fill_integers(block_ranks, 0x9c9df0a2, 1000000);
    fill_integers(queries, 0x8a2e10de, 128 * (n / 8 + 1));
    CUDA_CHECK(launch_rank_queries(bits.device, block_ranks.device, queries.device, ranks.device, n));
    ranks.download();
    double sum = 0.0;
    for (size_t i = 0; i < ranks.count; ++i) sum += ranks.host[i];
    std::printf("ranks: first %g, last %g, sum %.9g\n", double(ranks.host[0]),
                double(ranks.host[ranks.count - 1]), sum);
    return 0;
}
