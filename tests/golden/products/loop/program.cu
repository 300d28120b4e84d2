#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the cross-entropy with label smoothing for each row (online log-sum-exp).
// Precondition: elements of true_classes lie in [0, num_classes).
__global__ void compute_smoothed_cross_entropy(const float* __restrict__ logits,
                                               const int* __restrict__ true_classes, int num_classes,
                                               float smoothing, float* __restrict__ losses, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    const size_t row_start = size_t(row) * num_classes;
    float running_max = logits[row_start];
    float running_sum = 1.0f;
    for (int j = 1; j < num_classes; ++j) {
        const float score = logits[row_start + j];
        if (score > running_max) {
            running_sum = running_sum * expf(running_max - score) + 1.0f;
            running_max = score;
        } else {
            running_sum += expf(score - running_max);
        }
    }
    const float log_sum_exp = running_max + logf(running_sum);
    const int true_class = true_classes[row];
    float logit_sum = 0.0f;
    for (int j = 0; j < num_classes; ++j) {
        logit_sum += logits[row_start + j];
    }
    const float mean_logit = logit_sum / float(num_classes);
    const float loss =
        log_sum_exp - (1.0f - smoothing) * logits[row_start + true_class] - smoothing * mean_logit;
    losses[row] = loss;
}

cudaError_t launch_compute_smoothed_cross_entropy(const float* logits, const int* true_classes,
                                                  int num_classes, float smoothing, float* losses, int n,
                                                  cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_smoothed_cross_entropy<<<grid, block, 0, stream>>>(logits, true_classes, num_classes, smoothing,
                                                               losses, n);
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
    const int n = 1000, classes = 10;
    Array<float> logits(n * classes), losses(n);
    Array<int> true_classes(n);
    const float smoothing = 0.15687445f;
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    for (size_t i = 0; i < true_classes.count; ++i) true_classes.host[i] = pcg(0x9c9df0a2 + i) % classes;
    true_classes.upload();
    CUDA_CHECK(launch_compute_smoothed_cross_entropy(logits.device, true_classes.device, classes, smoothing,
                                                     losses.device, n));
    losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < losses.count; ++i) sum += losses.host[i];
    std::printf("losses: first %g, last %g, sum %.9g\n", losses.host[0], losses.host[losses.count - 1], sum);
    return 0;
}
