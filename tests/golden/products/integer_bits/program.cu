#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int VALUE_BITS = 13;
constexpr int VALUES_PER_BLOCK = 64;

// Pack blocks of 64 integers with 13 bits per integer, from the lowest bit of the first word on. values[i, b]
// is value i of block b, and words[w, b] word w of the packed block.
__global__ void pack_integers(const int* __restrict__ values, uint32_t* __restrict__ words, int blocks) {
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;

    int word = 0;
    int used = 0;
    uint64_t buffer = 0ull;
    const uint32_t mask = (1u << VALUE_BITS) - 1u;
    for (int i = 0; i < VALUES_PER_BLOCK; ++i) {
        const uint32_t field = uint32_t(values[i * blocks + block]) & mask;
        buffer |= uint64_t(field) << used;
        used += VALUE_BITS;
        if (used >= 32) {
            words[word * blocks + block] = uint32_t(buffer & 0xFFFFFFFFull);
            buffer >>= 32;
            used -= 32;
            word += 1;
        }
    }
}

cudaError_t launch_pack_integers(const int* values, uint32_t* words, int blocks,
                                 cudaStream_t stream = nullptr) {
    if (blocks <= 0) return cudaSuccess;
    if (blocks > INT_MAX / VALUES_PER_BLOCK) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (blocks + block - 1) / block;
    pack_integers<<<grid, block, 0, stream>>>(values, words, blocks);
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

int main() {
    const int blocks = 17;
    Array<int> values(64 * blocks);
    Array<uint32_t> words(26 * blocks);
    for (size_t i = 0; i < values.count; ++i) values.host[i] = pcg(0x2370168f + i) % 8192;
    values.upload();
    CUDA_CHECK(launch_pack_integers(values.device, words.device, blocks));
    words.download();
    double sum = 0.0;
    for (size_t i = 0; i < words.count; ++i) sum += words.host[i];
    std::printf("words: first %g, last %g, sum %.9g\n", double(words.host[0]),
                double(words.host[words.count - 1]), sum);
    return 0;
}
