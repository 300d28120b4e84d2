#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Quadratic up to 0.5, linear beyond.
__device__ float huber_loss(float value) {
    const float size = fabsf(value);
    if (size <= 0.5f) {
        return 0.5f * value * value;
    }
    return 0.5f * (size - 0.25f);
}

// Sum of the Huber losses of the samples of each row, added by Kahan's method.
__global__ void compensated_sum(const float* __restrict__ samples, float* __restrict__ total_values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float total = 0.0f;
    float lost = 0.0f;
    for (int j = 0; j < 24; ++j) {
        const float corrected = huber_loss(samples[size_t(i) * 24 + j]) - lost;
        const float updated = total + corrected;
        lost = updated - total - corrected;
        total = updated;
    }
    total_values[i] = total;
}

cudaError_t launch_compensated_sum(const float* samples, float* total_values, int n,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compensated_sum<<<grid, block, 0, stream>>>(samples, total_values, n);
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
    Array<float> samples(n * 24), total_values(n);
    fill_uniform(samples, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_compensated_sum(samples.device, total_values.device, n));
    total_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < total_values.count; ++i) sum += total_values.host[i];
    std::printf("total_values: first %g, last %g, sum %.9g\n", total_values.host[0],
                total_values.host[total_values.count - 1], sum);
    return 0;
}
