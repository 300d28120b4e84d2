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

// Truncated Cauchy sample.
__global__ void eval_truncated_cauchy_sample(int width, uint32_t salt, float scale,
                                             float* __restrict__ deviates, int height) {
    const int sample_number = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample_number >= height * width) return;

    const uint32_t turned = uint32_t(sample_number) * 0x9E3779B9u + salt;
    const float uniform_number = float(turned >> 8) / 16777216.0f;
    deviates[sample_number] = scale * tanf(2.9f * (uniform_number - 0.5f));
}

cudaError_t launch_eval_truncated_cauchy_sample(int width, uint32_t salt, float scale, float* deviates,
                                                int height, cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(height) * width;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    eval_truncated_cauchy_sample<<<grid, block, 0, stream>>>(width, salt, scale, deviates, height);
    return cudaGetLastError();
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
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

int main() {
    const int height = 32, width = 42;
    Array<float> deviates(height * width);
    const uint32_t salt = 1100894593u;
    const float scale = 0.46460637f;
    CUDA_CHECK(launch_eval_truncated_cauchy_sample(width, salt, scale, deviates.device, height));
    deviates.download();
    double sum = 0.0;
    for (size_t i = 0; i < deviates.count; ++i) sum += deviates.host[i];
    std::printf("deviates: first %g, last %g, sum %.9g\n", deviates.host[0],
                deviates.host[deviates.count - 1], sum);
    return 0;
}
