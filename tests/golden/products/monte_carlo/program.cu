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

// Standard normal, by the method of Box and Muller; the small term keeps the logarithm finite.
__device__ inline float random_normal(uint32_t& state) {
    const float radius = sqrtf(-2.0f * logf(random_float(state) + 5.96e-8f));
    return radius * cosf(6.28318531f * random_float(state));
}

// Discounted payoff of a floating-strike lookback call along a path.
__global__ void simulate_lookback(const float* __restrict__ spots, float rate, float volatility, float dt,
                                  int num_steps, int seed, float* __restrict__ payoffs, int n) {
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= n) return;

    uint32_t rng = random_state(seed, path);
    float log_spot = logf(spots[path]);
    float lowest = log_spot;
    const float drift = (rate - 0.5f * volatility * volatility) * dt;
    const float diffusion = volatility * sqrtf(dt);
    for (int step = 0; step < num_steps; ++step) {
        log_spot += drift + diffusion * random_normal(rng);
        lowest = fminf(lowest, log_spot);
    }
    const float discount = expf(-rate * dt * float(num_steps));
    payoffs[path] = discount * (expf(log_spot) - expf(lowest));
}

cudaError_t launch_simulate_lookback(const float* spots, float rate, float volatility, float dt,
                                     int num_steps, int seed, float* payoffs, int n,
                                     cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    simulate_lookback<<<grid, block, 0, stream>>>(spots, rate, volatility, dt, num_steps, seed, payoffs, n);
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
    Array<float> spots(n), payoffs(n);
    const float rate = 0.020252878f, volatility = 0.1580758f, dt = 0.045649868f;
    const int num_steps = 16, seed = 6928;
    fill_uniform(spots, 0x2370168f, 90.0, 110.0);
    CUDA_CHECK(
        launch_simulate_lookback(spots.device, rate, volatility, dt, num_steps, seed, payoffs.device, n));
    payoffs.download();
    double sum = 0.0;
    for (size_t i = 0; i < payoffs.count; ++i) sum += payoffs.host[i];
    std::printf("payoffs: first %g, last %g, sum %.9g\n", payoffs.host[0], payoffs.host[payoffs.count - 1],
                sum);
    return 0;
}
