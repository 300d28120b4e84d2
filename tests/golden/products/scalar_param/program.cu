#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float WARMUP_SHARE = 0.19f;

// Compute the learning rate of each step by warmup, a plateau and cooldown.
__global__ void compute_trapezoid_rate(const float* __restrict__ progress_values,
                                       float* __restrict__ learning_rates, float base_rate,
                                       float cooldown_start, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float progress = progress_values[i];
    float learning_rate;
    if (progress < WARMUP_SHARE) {
        learning_rate = base_rate * progress / WARMUP_SHARE;
    } else if (progress > cooldown_start) {
        learning_rate = base_rate * (1.0f - progress) / (1.0f - cooldown_start);
    } else {
        learning_rate = base_rate;
    }
    learning_rates[i] = learning_rate;
}

cudaError_t launch_compute_trapezoid_rate(const float* progress_values, float* learning_rates,
                                          float base_rate, float cooldown_start, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_trapezoid_rate<<<grid, block, 0, stream>>>(progress_values, learning_rates, base_rate,
                                                       cooldown_start, n);
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
    Array<float> progress_values(n), learning_rates(n);
    const float base_rate = 0.11615159f, cooldown_start = 0.7282493f;
    fill_uniform(progress_values, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_compute_trapezoid_rate(progress_values.device, learning_rates.device, base_rate,
                                             cooldown_start, n));
    learning_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < learning_rates.count; ++i) sum += learning_rates.host[i];
    std::printf("learning_rates: first %g, last %g, sum %.9g\n", learning_rates.host[0],
                learning_rates.host[learning_rates.count - 1], sum);
    return 0;
}
