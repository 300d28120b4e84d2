#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Per-unit Mish.
__global__ void compute_mish(const float* __restrict__ projections, const float* __restrict__ running_means,
                             const float* __restrict__ running_variances, const float* __restrict__ gammas,
                             const float* __restrict__ betas, float* __restrict__ activations, int tokens,
                             int channels) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= tokens || channel >= channels) return;

    const float scale = gammas[channel] / sqrtf(running_variances[channel] + 1e-5f);
    const int index = row * channels + channel;
    const float pre_activation = scale * (projections[index] - running_means[channel]) + betas[channel];
    const float softplus = fmaxf(pre_activation, 0.0f) + logf(1.0f + expf(-fabsf(pre_activation)));
    activations[index] = pre_activation * tanhf(softplus);
}

cudaError_t launch_compute_mish(const float* projections, const float* running_means,
                                const float* running_variances, const float* gammas, const float* betas,
                                float* activations, int tokens, int channels, cudaStream_t stream = nullptr) {
    if (tokens == 0 || channels == 0) return cudaSuccess;
    if (int64_t(tokens) * channels > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((channels + block.x - 1) / block.x, (tokens + block.y - 1) / block.y);
    compute_mish<<<grid, block, 0, stream>>>(projections, running_means, running_variances, gammas, betas,
                                             activations, tokens, channels);
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
    const int tokens = 10, channels = 384;
    Array<float> projections(tokens * channels), running_means(channels), running_variances(channels),
        gammas(channels), betas(channels), activations(tokens * channels);
    fill_uniform(projections, 0x2370168f, -4.0, 4.0);
    fill_uniform(running_means, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(running_variances, 0x8a2e10de, 0.3, 2.0);
    fill_uniform(gammas, 0x86a00a5c, 0.5, 1.5);
    fill_uniform(betas, 0x14cd5bc2, -0.5, 0.5);
    CUDA_CHECK(launch_compute_mish(projections.device, running_means.device, running_variances.device,
                                   gammas.device, betas.device, activations.device, tokens, channels));
    activations.download();
    double sum = 0.0;
    for (size_t i = 0; i < activations.count; ++i) sum += activations.host[i];
    std::printf("activations: first %g, last %g, sum %.9g\n", activations.host[0],
                activations.host[activations.count - 1], sum);
    return 0;
}
