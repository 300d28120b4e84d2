#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// The hyperbolic tangent.
__device__ float scaled_tanh(float x) { return tanhf(x); }

// The log-cosh loss.
__device__ float log_cosh(float residual) {
    return fabsf(residual) + logf(0.5f + 0.5f * expf(-2.0f * fabsf(residual)));
}

// Derivative of the log-cosh loss.
__device__ float log_cosh_slope(float residual) { return tanhf(residual); }

// Derivative of the hyperbolic tangent.
__device__ float scaled_tanh_slope(float x) {
    const float value = tanhf(x);
    return 1.0f - value * value;
}

// Train a neuron with an output between -1 and 1: compute the log-cosh loss of each weighted error, and add
// up the gradient with respect to the weights.
__global__ void scaled_tanh_neuron(const float* __restrict__ features, const float* __restrict__ weights,
                                   const float* __restrict__ targets,
                                   const float* __restrict__ sample_weights, float bias, int num_features,
                                   float* __restrict__ losses, float* weight_gradients, int n) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= n) return;

    float score = bias;
    for (int j = 0; j < num_features; ++j) {
        score += weights[j] * features[size_t(j) * n + sample];
    }
    const float residual = scaled_tanh(score) - targets[sample];
    const float weight = sample_weights[sample];
    const float loss = weight * log_cosh(residual);
    const float delta = weight * (log_cosh_slope(residual) * scaled_tanh_slope(score));
    losses[sample] = loss;
    for (int j = 0; j < num_features; ++j) {
        atomicAdd(&weight_gradients[j], delta * features[size_t(j) * n + sample]);
    }
}

cudaError_t launch_scaled_tanh_neuron(const float* features, const float* weights, const float* targets,
                                      const float* sample_weights, float bias, int num_features,
                                      float* losses, float* weight_gradients, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    scaled_tanh_neuron<<<grid, block, 0, stream>>>(features, weights, targets, sample_weights, bias,
                                                   num_features, losses, weight_gradients, n);
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
    const int n = 1000, features_size = 16;
    Array<float> features(features_size * n), weights(features_size), targets(n), sample_weights(n),
        losses(n), weight_gradients(features_size);
    const float bias = -0.18743235f;
    fill_uniform(features, 0x2370168f, -1.0, 1.0);
    fill_uniform(weights, 0x9c9df0a2, -0.8, 0.8);
    fill_uniform(targets, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(sample_weights, 0x86a00a5c, 0.2, 1.0);
    CUDA_CHECK(launch_scaled_tanh_neuron(features.device, weights.device, targets.device,
                                         sample_weights.device, bias, features_size, losses.device,
                                         weight_gradients.device, n));
    print_output("losses", losses);
    print_output("weight_gradients", weight_gradients);
    return 0;
}
