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

// Compute the update of each weight with the trust ratio of the layer. Numbers are stored in half precision
// and computed with in single.
__global__ void compute_trusted_update(const __half* __restrict__ gradients,
                                       const __half* __restrict__ weights, float weight_norm,
                                       float gradient_norm, float weight_decay, __half* __restrict__ updates,
                                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float gradient = float(gradients[i]);
    const float weight = float(weights[i]);
    const float trust_ratio = weight_norm / (gradient_norm + weight_decay * weight_norm);
    const float update = trust_ratio * (gradient + weight_decay * weight);
    updates[i] = __half(update);
}

cudaError_t launch_compute_trusted_update(const __half* gradients, const __half* weights, float weight_norm,
                                          float gradient_norm, float weight_decay, __half* updates, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_trusted_update<<<grid, block, 0, stream>>>(gradients, weights, weight_norm, gradient_norm,
                                                       weight_decay, updates, n);
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
    const int n = 1000;
    Array<__half> gradients(n), weights(n), updates(n);
    const float weight_norm = 0.6009475f, gradient_norm = 1.5687445f, weight_decay = 0.031944197f;
    fill_uniform(gradients, 0x2370168f, -1.0, 1.0);
    fill_uniform(weights, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_compute_trusted_update(gradients.device, weights.device, weight_norm, gradient_norm,
                                             weight_decay, updates.device, n));
    updates.download();
    double sum = 0.0;
    for (size_t i = 0; i < updates.count; ++i) sum += float(updates.host[i]);
    std::printf("updates: first %g, last %g, sum %.9g\n", float(updates.host[0]),
                float(updates.host[updates.count - 1]), sum);
    return 0;
}
