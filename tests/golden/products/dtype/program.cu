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

constexpr float WEIGHT_DECAY = 0.09f;

// Clip the gradient by global norm.
__device__ float norm_clipped_gradient(float raw_gradient, float gradient_norm, float max_norm) {
    return gradient_norm > max_norm ? raw_gradient * (max_norm / gradient_norm) : raw_gradient;
}

// LARS update of each weight. Half-precision storage, single-precision arithmetic.
__global__ void lars_update(const __half* __restrict__ raw_gradients, const __half* __restrict__ weights,
                            float gradient_norm, float max_norm, float weight_norm,
                            __half* __restrict__ updates, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float gradient = norm_clipped_gradient(float(raw_gradients[i]), gradient_norm, max_norm);
    const float trust_ratio = weight_norm / (gradient_norm + WEIGHT_DECAY * weight_norm);
    updates[i] = __half(trust_ratio * (gradient + WEIGHT_DECAY * float(weights[i])));
}

cudaError_t launch_lars_update(const __half* raw_gradients, const __half* weights, float gradient_norm,
                               float max_norm, float weight_norm, __half* updates, int n,
                               cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    lars_update<<<grid, block, 0, stream>>>(raw_gradients, weights, gradient_norm, max_norm, weight_norm,
                                            updates, n);
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
    Array<__half> raw_gradients(n), weights(n), updates(n);
    const float gradient_norm = 0.6009475f, max_norm = 1.4274979f, weight_norm = 1.2814192f;
    fill_uniform(raw_gradients, 0x2370168f, -2.0, 2.0);
    fill_uniform(weights, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_lars_update(raw_gradients.device, weights.device, gradient_norm, max_norm, weight_norm,
                                  updates.device, n));
    updates.download();
    double sum = 0.0;
    for (size_t i = 0; i < updates.count; ++i) sum += float(updates.host[i]);
    std::printf("updates: first %g, last %g, sum %.9g\n", float(updates.host[0]),
                float(updates.host[updates.count - 1]), sum);
    return 0;
}
