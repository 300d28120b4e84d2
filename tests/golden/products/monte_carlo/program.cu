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

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2& operator+=(float2& a, float2 b) { return a = a + b; }

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

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length_squared(float2 a) { return dot(a, a); }
__device__ inline float2 operator*(float s, float2 a) { return make_float2(s * a.x, s * a.y); }
__device__ inline float2 multiply_components(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
__device__ inline float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// Return the logarithm of Rosenbrock's banana-shaped density, up to a constant.
__device__ float log_density(float2 x, float shape) {
    const float bend = x.y - shape * x.x * x.x;
    return -0.5f * x.x * x.x - 2.0f * bend * bend;
}

// Return the gradient of the log density.
__device__ float2 score(float2 x, float shape) {
    const float bend = x.y - shape * x.x * x.x;
    return make_float2(8.0f * shape * x.x * bend - x.x, -4.0f * bend);
}

// Run Hamiltonian Monte Carlo chains with leapfrog trajectories on a banana-shaped density, and return the
// mean and variance of the samples of each.
__global__ void hamiltonian_monte_carlo(const float2* __restrict__ starts, float shape, float step_size,
                                        int num_leaps, int num_samples, int seed, float2* __restrict__ means,
                                        float2* __restrict__ variances, int chains) {
    const int chain = blockIdx.x * blockDim.x + threadIdx.x;
    if (chain >= chains) return;

    uint32_t rng = random_state(seed, chain);
    float2 x = starts[chain];
    float2 total = make_float2(0.0f, 0.0f);
    float2 square_total = make_float2(0.0f, 0.0f);
    for (int step = 0; step < num_samples; ++step) {
        const float z0 = random_normal(rng);
        const float z1 = random_normal(rng);
        float2 momentum = make_float2(z0, z1);
        const float before = log_density(x, shape) - 0.5f * length_squared(momentum);
        float2 proposal = x;
        momentum += 0.5f * step_size * score(proposal, shape);
        for (int leap = 0; leap < num_leaps; ++leap) {
            proposal += step_size * momentum;
            const float kick = leap + 1 < num_leaps ? step_size : 0.5f * step_size;
            momentum += kick * score(proposal, shape);
        }
        const float after = log_density(proposal, shape) - 0.5f * length_squared(momentum);
        if (random_float(rng) < expf(after - before)) {
            x = proposal;
        }
        total += x;
        square_total += multiply_components(x, x);
    }
    const float2 mean = total / float(num_samples);
    means[chain] = mean;
    variances[chain] = square_total / float(num_samples) - multiply_components(mean, mean);
}

cudaError_t launch_hamiltonian_monte_carlo(const float2* starts, float shape, float step_size, int num_leaps,
                                           int num_samples, int seed, float2* means, float2* variances,
                                           int chains, cudaStream_t stream = nullptr) {
    if (chains <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (chains + block - 1) / block;
    hamiltonian_monte_carlo<<<grid, block, 0, stream>>>(starts, shape, step_size, num_leaps, num_samples,
                                                        seed, means, variances, chains);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

void fill_uniform(Array<float2, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float2, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int chains = 64;
    Array<float2, float> starts(chains), means(chains), variances(chains);
    const float shape = 0.3768966f, step_size = 0.104037896f;
    const int num_leaps = 4, num_samples = 32, seed = 6928;
    fill_uniform(starts, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_hamiltonian_monte_carlo(starts.device, shape, step_size, num_leaps, num_samples, seed,
                                              means.device, variances.device, chains));
    print_output("means", means);
    print_output("variances", variances);
    return 0;
}
