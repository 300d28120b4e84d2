#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Per-row cross-entropy loss from the online log-sum-exp. Half-precision storage, single-precision
// arithmetic.
// Precondition: elements of true_classes lie in [0, 10).
__global__ void eval_cross_entropy_loss(const __half* __restrict__ logits,
                                        const int* __restrict__ true_classes, __half* __restrict__ losses,
                                        int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const size_t start = size_t(i) * 10;
    float running_max = float(logits[start]);
    float running_sum = 1.0f;
    for (int j = 1; j < 10; ++j) {
        const float score = float(logits[start + j]);
        if (score > running_max) {
            running_sum = running_sum * expf(running_max - score) + 1.0f;
            running_max = score;
        } else {
            running_sum += expf(score - running_max);
        }
    }
    const float log_sum_exp = running_max + logf(running_sum);
    const int true_class = true_classes[i];
    losses[i] = __half(log_sum_exp - float(logits[start + true_class]));
}

cudaError_t launch_eval_cross_entropy_loss(const __half* logits, const int* true_classes, __half* losses,
                                           int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_cross_entropy_loss<<<grid, block, 0, stream>>>(logits, true_classes, losses, n);
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

void fill_uniform(Array<__half>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000, classes = 10;
    Array<__half> logits(n * classes), losses(n);
    Array<int> true_classes(n);
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    for (size_t i = 0; i < true_classes.count; ++i) true_classes.host[i] = pcg(0x9c9df0a2 + i) % classes;
    true_classes.upload();
    CUDA_CHECK(launch_eval_cross_entropy_loss(logits.device, true_classes.device, losses.device, n));
    losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < losses.count; ++i) sum += float(losses.host[i]);
    std::printf("losses: first %g, last %g, sum %.9g\n", float(losses.host[0]),
                float(losses.host[losses.count - 1]), sum);
    return 0;
}
