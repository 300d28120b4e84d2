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

constexpr int WIDTH = 16;

// Clamp to [-1, 1].
__device__ float leaky_clamp(float w) { return fminf(fmaxf(w, -1.0f), 1.0f); }

// Derivative that stands for that of leaky_clamp: one within [-1, 1], a tenth beyond.
__device__ float pass_through(float w) { return fabsf(w) <= 1.0f ? 1.0f : 0.1f; }

// Squared error of linear units with clamped weights, and the leaky gradient with respect to the weights.
__global__ void clamped_layer(const float* __restrict__ inputs, const float* __restrict__ weights,
                              const float* __restrict__ targets, float* __restrict__ losses,
                              float* __restrict__ gradients, int units) {
    const int unit = blockIdx.x * blockDim.x + threadIdx.x;
    if (unit >= units) return;

    float output = 0.0f;
    for (int k = 0; k < WIDTH; ++k) {
        const int index = unit * WIDTH + k;
        output += leaky_clamp(weights[index]) * inputs[index];
    }
    const float error = output - targets[unit];
    losses[unit] = 0.5f * error * error;
    for (int k = 0; k < WIDTH; ++k) {
        const int index = unit * WIDTH + k;
        gradients[index] = error * inputs[index] * pass_through(weights[index]);
    }
}

cudaError_t launch_clamped_layer(const float* inputs, const float* weights, const float* targets,
                                 float* losses, float* gradients, int units, cudaStream_t stream = nullptr) {
    if (units == 0) return cudaSuccess;
    if (int64_t(units) * WIDTH > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (units + block - 1) / block;
    clamped_layer<<<grid, block, 0, stream>>>(inputs, weights, targets, losses, gradients, units);
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
    const int units = 32, width = 16;
    Array<float> inputs(units * width), weights(units * width), targets(units), losses(units),
        gradients(units * width);
    fill_uniform(inputs, 0x2370168f, -1.0, 1.0);
    fill_uniform(weights, 0x9c9df0a2, -1.5, 1.5);
    fill_uniform(targets, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_clamped_layer(inputs.device, weights.device, targets.device, losses.device,
                                    gradients.device, units));
    print_output("losses", losses);
    print_output("gradients", gradients);
    return 0;
}
