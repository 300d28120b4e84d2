#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float TEMPERATURE_EXPONENT = 0.7f;

// Compute the reaction rate of each mixture by a power law. The rate constant is computed by the modified
// Arrhenius law.
__global__ void compute_reaction_rate(const float* __restrict__ temperatures,
                                      const float* __restrict__ concentrations, float frequency_factor,
                                      float order, float* __restrict__ reaction_rates, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float temperature = temperatures[i];
    const float scaled = temperature / 298.0f;
    const float rate_constant =
        frequency_factor * powf(scaled, TEMPERATURE_EXPONENT) * expf(-44.0f / (0.008314f * temperature));
    const float concentration = concentrations[i];
    const float reaction_rate = rate_constant * powf(concentration, order);
    reaction_rates[i] = reaction_rate;
}

cudaError_t launch_compute_reaction_rate(const float* temperatures, const float* concentrations,
                                         float frequency_factor, float order, float* reaction_rates, int n,
                                         cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_reaction_rate<<<grid, block, 0, stream>>>(temperatures, concentrations, frequency_factor, order,
                                                      reaction_rates, n);
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
    Array<float> temperatures(n), concentrations(n), reaction_rates(n);
    const float frequency_factor = 132.30319f, order = 1.3549956f;
    fill_uniform(temperatures, 0x2370168f, 280.0, 400.0);
    fill_uniform(concentrations, 0x9c9df0a2, 0.1, 3.0);
    CUDA_CHECK(launch_compute_reaction_rate(temperatures.device, concentrations.device, frequency_factor,
                                            order, reaction_rates.device, n));
    reaction_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < reaction_rates.count; ++i) sum += reaction_rates.host[i];
    std::printf("reaction_rates: first %g, last %g, sum %.9g\n", reaction_rates.host[0],
                reaction_rates.host[reaction_rates.count - 1], sum);
    return 0;
}
