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

// Antithetic Monte Carlo integral of a Lorentz curve for each interval.
__global__ void compute_antithetic_monte_carlo_integral(const double* __restrict__ lowers,
                                                        const double* __restrict__ widths,
                                                        const double* __restrict__ steepness_values,
                                                        int samples, int seed, double* __restrict__ integrals,
                                                        int n) {
    const int interval = blockIdx.x * blockDim.x + threadIdx.x;
    if (interval >= n) return;

    const double lower = lowers[interval];
    const double width = widths[interval];
    const double steepness = steepness_values[interval];
    uint32_t state = random_state(seed, interval);
    double total = 0.0;
    for (int sample = 0; sample < samples; ++sample) {
        const double u = double(random_float(state));
        const double x = lower + width * u;
        const double other_x = lower + width * (1.0 - u);
        total += 0.5 * (1.0 / (1.0 + steepness * x * x) + 1.0 / (1.0 + steepness * other_x * other_x));
    }
    integrals[interval] = width * total / double(samples);
}

cudaError_t launch_compute_antithetic_monte_carlo_integral(const double* lowers, const double* widths,
                                                           const double* steepness_values, int samples,
                                                           int seed, double* integrals, int n,
                                                           cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_antithetic_monte_carlo_integral<<<grid, block, 0, stream>>>(lowers, widths, steepness_values,
                                                                        samples, seed, integrals, n);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000;
    Array<double> lowers(n), widths(n), steepness_values(n), integrals(n);
    const int samples = 16, seed = 3681;
    fill_uniform(lowers, 0x2370168f, 0.0, 1.0);
    fill_uniform(widths, 0x9c9df0a2, 0.5, 2.0);
    fill_uniform(steepness_values, 0x8a2e10de, 0.5, 2.0);
    CUDA_CHECK(launch_compute_antithetic_monte_carlo_integral(
        lowers.device, widths.device, steepness_values.device, samples, seed, integrals.device, n));
    integrals.download();
    double sum = 0.0;
    for (size_t i = 0; i < integrals.count; ++i) sum += integrals.host[i];
    std::printf("integrals: first %g, last %g, sum %.9g\n", integrals.host[0],
                integrals.host[integrals.count - 1], sum);
    return 0;
}
