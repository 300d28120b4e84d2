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

// Choose the bucket of each message by the remainder of the digest, with the bytes hashed by rotations.
__global__ void message_bucket(const uint8_t* __restrict__ octets, int num_bytes, int* __restrict__ buckets,
                               int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    uint32_t digest = 0u;
    const size_t row_start = size_t(row) * num_bytes;
    for (int j = 0; j < num_bytes; ++j) {
        digest = ((digest << 5) | (digest >> 27)) ^ uint32_t(octets[row_start + j]);
    }
    const int bucket = int(digest % 364u);
    buckets[row] = bucket;
}

cudaError_t launch_message_bucket(const uint8_t* octets, int num_bytes, int* buckets, int n,
                                  cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    message_bucket<<<grid, block, 0, stream>>>(octets, num_bytes, buckets, n);
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
    const int n = 1000, bytes = 8;
    Array<uint8_t> octets(n * bytes);
    Array<int> buckets(n);
    for (size_t i = 0; i < octets.count; ++i) octets.host[i] = pcg(0x2370168f + i) % 256;
    octets.upload();
    CUDA_CHECK(launch_message_bucket(octets.device, bytes, buckets.device, n));
    buckets.download();
    double sum = 0.0;
    for (size_t i = 0; i < buckets.count; ++i) sum += buckets.host[i];
    std::printf("buckets: first %g, last %g, sum %.9g\n", double(buckets.host[0]),
                double(buckets.host[buckets.count - 1]), sum);
    return 0;
}
