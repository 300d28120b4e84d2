#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the activation of each unit by soft shrinkage. The pre-activation is computed by batch
// normalisation with running statistics.
__global__ void soft_shrink(const float* __restrict__ projections, const float* __restrict__ running_means,
                            const float* __restrict__ running_variances, const float* __restrict__ gammas,
                            const float* __restrict__ betas, float shrinkage, float* __restrict__ activations,
                            int n) {
    const int unit = blockIdx.x * blockDim.x + threadIdx.x;
    if (unit >= n) return;

    const float projection = projections[unit];
    const float running_mean = running_means[unit];
    const float running_variance = running_variances[unit];
    const float gamma = gammas[unit];
    const float beta = betas[unit];
    const float scale = gamma / sqrtf(running_variance + 1e-5f);
    const float pre_activation = scale * (projection - running_mean) + beta;
    float activation = 0.0f;
    if (pre_activation > shrinkage) {
        activation = pre_activation - shrinkage;
    } else if (pre_activation < -shrinkage) {
        activation = pre_activation + shrinkage;
    }
    activations[unit] = activation;
}

cudaError_t launch_soft_shrink(const float* projections, const float* running_means,
                               const float* running_variances, const float* gammas, const float* betas,
                               float shrinkage, float* activations, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    soft_shrink<<<grid, block, 0, stream>>>(projections, running_means, running_variances, gammas, betas,
                                            shrinkage, activations, n);
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
    Array<float> projections(n), running_means(n), running_variances(n), gammas(n), betas(n), activations(n);
    const float shrinkage = 0.8473822f;
    fill_uniform(projections, 0x2370168f, -4.0, 4.0);
    fill_uniform(running_means, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(running_variances, 0x8a2e10de, 0.3, 2.0);
    fill_uniform(gammas, 0x86a00a5c, 0.5, 1.5);
    fill_uniform(betas, 0x14cd5bc2, -0.5, 0.5);
    CUDA_CHECK(launch_soft_shrink(projections.device, running_means.device, running_variances.device,
                                  gammas.device, betas.device, shrinkage, activations.device, n));
    activations.download();
    double sum = 0.0;
    for (size_t i = 0; i < activations.count; ++i) sum += activations.host[i];
    std::printf("activations: first %g, last %g, sum %.9g\n", activations.host[0],
                activations.host[activations.count - 1], sum);
    return 0;
}
