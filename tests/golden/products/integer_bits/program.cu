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

// Reflected Gray code of each number.
__global__ void gray_code(const uint32_t* __restrict__ values, uint32_t* __restrict__ result, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    result[i] = values[i] ^ (values[i] >> 1);
}

cudaError_t launch_gray_code(const uint32_t* values, uint32_t* result, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    gray_code<<<grid, block, 0, stream>>>(values, result, n);
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
    const int n = 1000;
    Array<uint32_t> values(n), result(n);
    for (size_t i = 0; i < values.count; ++i) values.host[i] = pcg(0x2370168f + i) % 2147483647;
    values.upload();
    CUDA_CHECK(launch_gray_code(values.device, result.device, n));
    result.download();
    double sum = 0.0;
    for (size_t i = 0; i < result.count; ++i) sum += result.host[i];
    std::printf("result: first %g, last %g, sum %.9g\n", double(result.host[0]),
                double(result.host[result.count - 1]), sum);
    return 0;
}
