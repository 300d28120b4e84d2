#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Advance the infected share of each region by several steps of the SIR model.
__global__ void advance_simulated_infected(const float* __restrict__ susceptible_shares,
                                           const float* __restrict__ infected_shares,
                                           const float* __restrict__ contact_rates,
                                           float* __restrict__ new_infected_shares, float recovery_rate,
                                           float dt, int days, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float infected = infected_shares[i];
    const float contact_rate = contact_rates[i];
    float s = susceptible_shares[i];
    float new_infected = infected;
    for (int iteration = 0; iteration < days; ++iteration) {
        const float caught = dt * contact_rate * s * new_infected;
        s -= caught;
        new_infected = new_infected + caught - dt * recovery_rate * new_infected;
    }
    new_infected_shares[i] = new_infected;
}

cudaError_t launch_advance_simulated_infected(const float* susceptible_shares, const float* infected_shares,
                                              const float* contact_rates, float* new_infected_shares,
                                              float recovery_rate, float dt, int days, int n,
                                              cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    advance_simulated_infected<<<grid, block, 0, stream>>>(susceptible_shares, infected_shares, contact_rates,
                                                           new_infected_shares, recovery_rate, dt, days, n);
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
    Array<float> susceptible_shares(n), infected_shares(n), contact_rates(n), new_infected_shares(n);
    const float recovery_rate = 0.12814191f, dt = 0.4141525f;
    const int days = 14;
    fill_uniform(susceptible_shares, 0x2370168f, 0.3, 0.7);
    fill_uniform(infected_shares, 0x9c9df0a2, 0.001, 0.3);
    fill_uniform(contact_rates, 0x8a2e10de, 0.1, 0.8);
    CUDA_CHECK(launch_advance_simulated_infected(susceptible_shares.device, infected_shares.device,
                                                 contact_rates.device, new_infected_shares.device,
                                                 recovery_rate, dt, days, n));
    new_infected_shares.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_infected_shares.count; ++i) sum += new_infected_shares.host[i];
    std::printf("new_infected_shares: first %g, last %g, sum %.9g\n", new_infected_shares.host[0],
                new_infected_shares.host[new_infected_shares.count - 1], sum);
    return 0;
}
