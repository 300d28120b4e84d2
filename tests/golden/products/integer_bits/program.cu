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

// Rotate a word to the left.
__device__ uint32_t rotl(uint32_t x, uint32_t r) { return (x << r) | (x >> (32u - r)); }

// XxHash (32 bits) of messages of fewer than four words.
__global__ void hash_xxh32(const uint32_t* __restrict__ records, int length, uint32_t seed,
                           uint32_t* __restrict__ hashes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    uint32_t h = seed + 374761393u + uint32_t(4 * length);
    const int row_start = i * length;
    for (int j = 0; j < length; ++j) {
        h = rotl(h + records[row_start + j] * 3266489917u, 17u) * 668265263u;
    }
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    hashes[i] = h ^ (h >> 16);
}

cudaError_t launch_hash_xxh32(const uint32_t* records, int length, uint32_t seed, uint32_t* hashes, int count,
                              cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    if (int64_t(count) * length > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    hash_xxh32<<<grid, block, 0, stream>>>(records, length, seed, hashes, count);
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

int main() {
    const int count = 63, length = 2;
    Array<uint32_t> records(count * length), hashes(count);
    const uint32_t seed = 26540u;
    for (size_t i = 0; i < records.count; ++i) records.host[i] = pcg(0x2370168f + i) % 1000000;
    records.upload();
    CUDA_CHECK(launch_hash_xxh32(records.device, length, seed, hashes.device, count));
    hashes.download();
    double sum = 0.0;
    for (size_t i = 0; i < hashes.count; ++i) sum += hashes.host[i];
    std::printf("hashes: first %g, last %g, sum %.9g\n", double(hashes.host[0]),
                double(hashes.host[hashes.count - 1]), sum);
    return 0;
}
