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

// Gradient with a subgradient of an L1 penalty.
__device__ float l1_regularized_gradient(float raw_gradient, float weight, float l1_strength) {
    float gradient;
    if (weight > 0.0f) {
        gradient = raw_gradient + l1_strength;
    } else if (weight < 0.0f) {
        gradient = raw_gradient - l1_strength;
    } else {
        gradient = raw_gradient;
    }
    return gradient;
}

// Compute the update of each weight by Lion, from the sign of the interpolated momentum. The gradient is
// computed with a subgradient of an L1 penalty. Numbers are stored in half precision and computed with in
// single.
__global__ void compute_lion_update(const __half* __restrict__ first_moments,
                                    const __half* __restrict__ raw_gradients,
                                    const __half* __restrict__ weights, float l1_strength, float beta1,
                                    __half* __restrict__ updates, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float first_moment = float(first_moments[i]);
    const float raw_gradient = float(raw_gradients[i]);
    const float weight = float(weights[i]);
    const float gradient = l1_regularized_gradient(raw_gradient, weight, l1_strength);
    const float mixed = beta1 * first_moment + (1.0f - beta1) * gradient;
    float update = 0.0f;
    if (mixed > 0.0f) {
        update = 1.0f;
    } else if (mixed < 0.0f) {
        update = -1.0f;
    }
    updates[i] = __half(update);
}

cudaError_t launch_compute_lion_update(const __half* first_moments, const __half* raw_gradients,
                                       const __half* weights, float l1_strength, float beta1, __half* updates,
                                       int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_lion_update<<<grid, block, 0, stream>>>(first_moments, raw_gradients, weights, l1_strength, beta1,
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
    Array<__half> first_moments(n), raw_gradients(n), weights(n), updates(n);
    const float l1_strength = 0.043322284f, beta1 = 0.84688514f;
    fill_uniform(first_moments, 0x2370168f, -1.0, 1.0);
    fill_uniform(raw_gradients, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(weights, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_compute_lion_update(first_moments.device, raw_gradients.device, weights.device,
                                          l1_strength, beta1, updates.device, n));
    updates.download();
    double sum = 0.0;
    for (size_t i = 0; i < updates.count; ++i) sum += float(updates.host[i]);
    std::printf("updates: first %g, last %g, sum %.9g\n", float(updates.host[0]),
                float(updates.host[updates.count - 1]), sum);
    return 0;
}
