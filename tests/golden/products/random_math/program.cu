#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Mix half of an index with a round key.
__device__ uint32_t round_hash(uint32_t value, uint32_t key) {
    uint32_t h = (value ^ key) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

// Encrypt a number of 2 half_bits bits by odd products, sums and shifts modulo a power of two.
__device__ uint32_t encrypt(uint32_t index, int half_bits, int seed) {
    const uint32_t mask = (1u << (2 * half_bits)) - 1u;
    uint32_t key = round_hash(uint32_t(seed), 0x9E3779B9u);
    uint32_t x = index;
    for (int r = 0; r < 8; ++r) {
        x = (x * (key | 1u) + (key >> 8)) & mask;
        x ^= x >> half_bits;
        key = round_hash(key, uint32_t(r));
    }
    return x;
}

// Return the image of an index under a random permutation of count numbers, by cycle walking.
__device__ int shuffled(int index, int count, int seed) {
    int half_bits = 1;
    while (1 << (2 * half_bits) < count) {
        half_bits += 1;
    }
    uint32_t x = encrypt(uint32_t(index), half_bits, seed);
    while (x >= uint32_t(count)) {
        x = encrypt(x, half_bits, seed);
    }
    return int(x);
}

// Shuffle the elements of an array. Each thread computes its own source index.
__global__ void bijective_shuffle(const float* __restrict__ values, int count, int seed,
                                  float* __restrict__ shuffled_values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    shuffled_values[i] = values[shuffled(i, count, seed)];
}

cudaError_t launch_bijective_shuffle(const float* values, int count, int seed, float* shuffled_values,
                                     cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    bijective_shuffle<<<grid, block, 0, stream>>>(values, count, seed, shuffled_values);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float> values(n), shuffled_values(n);
    const int seed = 6540;
    fill_uniform(values, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_bijective_shuffle(values.device, n, seed, shuffled_values.device));
    shuffled_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < shuffled_values.count; ++i) sum += shuffled_values.host[i];
    std::printf("shuffled_values: first %g, last %g, sum %.9g\n", shuffled_values.host[0],
                shuffled_values.host[shuffled_values.count - 1], sum);
    return 0;
}
