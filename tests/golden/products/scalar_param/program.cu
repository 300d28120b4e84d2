#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Estimate the gradient noise of each step.
__global__ void estimate_gradient_noise(const float* __restrict__ learning_rates,
                                        const float* __restrict__ momenta, float* __restrict__ noise_scales,
                                        float training_size, float batch_size, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float learning_rate = learning_rates[i];
    const float momentum = momenta[i];
    const float noise_scale = learning_rate * training_size / (batch_size * fmaxf(1.0f - momentum, 0.01f));
    noise_scales[i] = noise_scale;
}

cudaError_t launch_estimate_gradient_noise(const float* learning_rates, const float* momenta,
                                           float* noise_scales, float training_size, float batch_size, int n,
                                           cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    estimate_gradient_noise<<<grid, block, 0, stream>>>(learning_rates, momenta, noise_scales, training_size,
                                                        batch_size, n);
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
    Array<float> learning_rates(n), momenta(n), noise_scales(n);
    const float training_size = 114.12467f, batch_size = 25.503788f;
    fill_uniform(learning_rates, 0x2370168f, 0.0, 0.5);
    fill_uniform(momenta, 0x9c9df0a2, 0.8, 0.95);
    CUDA_CHECK(launch_estimate_gradient_noise(learning_rates.device, momenta.device, noise_scales.device,
                                              training_size, batch_size, n));
    noise_scales.download();
    double sum = 0.0;
    for (size_t i = 0; i < noise_scales.count; ++i) sum += noise_scales.host[i];
    std::printf("noise_scales: first %g, last %g, sum %.9g\n", noise_scales.host[0],
                noise_scales.host[noise_scales.count - 1], sum);
    return 0;
}
