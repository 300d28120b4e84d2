#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float TOP_GROWTH = 0.9f;

// Compute the growth rate of each active patch with an Allee threshold. The values of active patches are
// packed into `kept_growth_rates`, in no fixed order.
// Precondition: no element of num_kept is negative.
__global__ void allee_growth(const int* __restrict__ is_active, const float* __restrict__ prey_densities,
                             const float* __restrict__ capacities, float allee_threshold,
                             float* __restrict__ kept_growth_rates, int* num_kept, int n) {
    const int patch = blockIdx.x * blockDim.x + threadIdx.x;
    if (patch >= n) return;
    if (is_active[patch] == 0) return;

    const float prey = prey_densities[patch];
    const float capacity = capacities[patch];
    const float growth_rate = TOP_GROWTH * prey * (1.0f - prey / capacity) * (prey / allee_threshold - 1.0f);
    const int slot = atomicAdd(num_kept, 1);
    kept_growth_rates[slot] = growth_rate;
}

cudaError_t launch_allee_growth(const int* is_active, const float* prey_densities, const float* capacities,
                                float allee_threshold, float* kept_growth_rates, int* num_kept, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    allee_growth<<<grid, block, 0, stream>>>(is_active, prey_densities, capacities, allee_threshold,
                                             kept_growth_rates, num_kept, n);
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
    Array<int> is_active(n), num_kept(1);
    Array<float> prey_densities(n), capacities(n), kept_growth_rates(n);
    const float allee_threshold = 0.45649868f;
    for (size_t i = 0; i < is_active.count; ++i) is_active.host[i] = pcg(0x2370168f + i) % 2;
    is_active.upload();
    fill_uniform(prey_densities, 0x9c9df0a2, 0.2, 3.0);
    fill_uniform(capacities, 0x8a2e10de, 1.0, 4.0);
    CUDA_CHECK(launch_allee_growth(is_active.device, prey_densities.device, capacities.device,
                                   allee_threshold, kept_growth_rates.device, num_kept.device, n));
    kept_growth_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < kept_growth_rates.count; ++i) sum += kept_growth_rates.host[i];
    std::printf("kept_growth_rates: first %g, last %g, sum %.9g\n", kept_growth_rates.host[0],
                kept_growth_rates.host[kept_growth_rates.count - 1], sum);
    num_kept.download();
    std::printf("num_kept: %d\n", num_kept.host[0]);
    return 0;
}
