#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// One step of the PCG hash (Jarzynski and Olano, Hash Functions for GPU Rendering).
__device__ inline uint32_t pcg_next(uint32_t x) {
    const uint32_t state = x * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// The state of generator number `sequence` under a seed.
__device__ inline uint32_t random_state(int seed, int sequence) {
    return pcg_next(seed + pcg_next(sequence));
}

// Uniform in [0, 1), a multiple of 2^-24.
__device__ inline float random_float(uint32_t& state) {
    state = pcg_next(state);
    return (state >> 8) * (1.0f / 16777216.0f);
}

// Estimate the integral of each interval by samples that favour the lower end of a decaying wave.
__global__ void estimate_integral(const float* __restrict__ lowers, const float* __restrict__ uppers,
                                  const float* __restrict__ steepness_values, float* __restrict__ integrals,
                                  int samples, int seed, int n) {
    const int interval = blockIdx.x * blockDim.x + threadIdx.x;
    if (interval >= n) return;

    const float lower = lowers[interval];
    const float upper = uppers[interval];
    const float width = upper - lower;
    const float steepness = steepness_values[interval];
    uint32_t rng = random_state(seed, interval);
    float total = 0.0f;
    for (int sample = 0; sample < samples; ++sample) {
        const float u = 1.0f - sqrtf(1.0f - random_float(rng));
        const float x = lower + width * u;
        total += 0.5f * (expf(-steepness * x) * cosf(4.0f * x)) / (1.0f - u);
    }
    const float integral = width * total / float(samples);
    integrals[interval] = integral;
}

cudaError_t launch_estimate_integral(const float* lowers, const float* uppers, const float* steepness_values,
                                     float* integrals, int samples, int seed, int n,
                                     cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    estimate_integral<<<grid, block, 0, stream>>>(lowers, uppers, steepness_values, integrals, samples, seed,
                                                  n);
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
    Array<float> lowers(n), uppers(n), steepness_values(n), integrals(n);
    const int samples = 22, seed = 9403;
    fill_uniform(lowers, 0x2370168f, 0.0, 1.0);
    fill_uniform(uppers, 0x9c9df0a2, 1.5, 3.0);
    fill_uniform(steepness_values, 0x8a2e10de, 0.5, 2.0);
    CUDA_CHECK(launch_estimate_integral(lowers.device, uppers.device, steepness_values.device,
                                        integrals.device, samples, seed, n));
    integrals.download();
    double sum = 0.0;
    for (size_t i = 0; i < integrals.count; ++i) sum += integrals.host[i];
    std::printf("integrals: first %g, last %g, sum %.9g\n", integrals.host[0],
                integrals.host[integrals.count - 1], sum);
    return 0;
}
