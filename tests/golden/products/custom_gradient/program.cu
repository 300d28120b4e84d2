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

// Identity, with another gradient.
__device__ float reverse_gradient(float x, float /*strength*/) { return x; }

// What reverse_gradient passes back for an adjoint.
__device__ float passed_back(float adjoint, float strength) { return -strength * adjoint; }

// Squared error of a log-linear unit behind reverse_gradient, and the gradients that it lets through.
__global__ void domain_adversarial_gradient(const float* __restrict__ features,
                                            const float* __restrict__ weights,
                                            const float* __restrict__ targets, float strength, int width,
                                            float* __restrict__ losses, float* __restrict__ feature_gradients,
                                            float* weight_gradients, int samples) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= samples) return;

    float activation = 0.0f;
    const int row_start = sample * width;
    for (int k = 0; k < width; ++k) {
        activation += weights[k] * features[row_start + k];
    }
    const float output = expf(reverse_gradient(activation, strength));
    const float error = output - targets[sample];
    const float adjoint = error * output;
    losses[sample] = 0.5f * error * error;
    const float slope = passed_back(adjoint, strength);
    for (int k = 0; k < width; ++k) {
        feature_gradients[row_start + k] = slope * weights[k];
        atomicAdd(&weight_gradients[k], slope * features[row_start + k]);
    }
}

cudaError_t launch_domain_adversarial_gradient(const float* features, const float* weights,
                                               const float* targets, float strength, int width, float* losses,
                                               float* feature_gradients, float* weight_gradients, int samples,
                                               cudaStream_t stream = nullptr) {
    if (samples == 0) return cudaSuccess;
    if (int64_t(samples) * width > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (samples + block - 1) / block;
    domain_adversarial_gradient<<<grid, block, 0, stream>>>(
        features, weights, targets, strength, width, losses, feature_gradients, weight_gradients, samples);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int samples = 18, width = 48;
    Array<float> features(samples * width), weights(width), targets(samples), losses(samples),
        feature_gradients(samples * width), weight_gradients(width);
    const float strength = 0.48474804f;
    fill_uniform(features, 0x2370168f, -0.5, 0.5);
    fill_uniform(weights, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(targets, 0x8a2e10de, 0.5, 1.5);
    CUDA_CHECK(launch_domain_adversarial_gradient(features.device, weights.device, targets.device, strength,
                                                  width, losses.device, feature_gradients.device,
                                                  weight_gradients.device, samples));
    print_output("losses", losses);
    print_output("feature_gradients", feature_gradients);
    print_output("weight_gradients", weight_gradients);
    return 0;
}
