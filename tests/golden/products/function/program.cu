#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float TEMPERATURE = 1.8f;
constexpr float SMOOTHING = 0.1f;

// Temperature-scaled probability.
__device__ float calibrated_probability(float logit) { return 1.0f / (1.0f + expf(-(logit / TEMPERATURE))); }

// Binary cross-entropy.
__device__ float binary_cross_entropy(float probability, float label) {
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    return 0.0f - (label * logf(probability) + (1.0f - label) * logf(1.0f - probability));
}

// Compute the binary cross-entropy.
__global__ void compute_binary_cross_entropy(const float* __restrict__ logits,
                                             const float* __restrict__ hard_labels,
                                             float* __restrict__ log_losses, int n) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= n) return;

    const float probability = calibrated_probability(logits[sample]);
    const float label = hard_labels[sample] * (1.0f - SMOOTHING) + 0.5f * SMOOTHING;
    log_losses[sample] = binary_cross_entropy(probability, label);
}

cudaError_t launch_compute_binary_cross_entropy(const float* logits, const float* hard_labels,
                                                float* log_losses, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_binary_cross_entropy<<<grid, block, 0, stream>>>(logits, hard_labels, log_losses, n);
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
    Array<float> logits(n), hard_labels(n), log_losses(n);
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    fill_uniform(hard_labels, 0x9c9df0a2, 0.0, 1.0);
    CUDA_CHECK(launch_compute_binary_cross_entropy(logits.device, hard_labels.device, log_losses.device, n));
    log_losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < log_losses.count; ++i) sum += log_losses.host[i];
    std::printf("log_losses: first %g, last %g, sum %.9g\n", log_losses.host[0],
                log_losses.host[log_losses.count - 1], sum);
    return 0;
}
