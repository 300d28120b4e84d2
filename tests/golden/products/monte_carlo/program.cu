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

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 multiply_components(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }

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

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

// What follows the point, with the sign of x.
__device__ inline float fraction(float x) { return x - truncf(x); }

// Return point i of Korobov's lattice rule with the generating vector (1, 19).
__device__ float2 sequence_point(int i, int num_points) {
    return make_float2(float(i) / float(num_points), float(19 * i % num_points) / float(num_points));
}

// Evaluate Genz's gaussian integrand on the unit square.
__device__ float gaussian(float2 x, float2 a, float2 u) {
    const float2 d = multiply_components(a, x - u);
    return expf(-dot(d, d));
}

// Integrate Genz's gaussian functions over the unit square by a lattice rule with a random shift for each
// function, folded by the tent transform. difficulties holds how steep a function is along each axis.
__global__ void quasi_monte_carlo(const float2* __restrict__ difficulties,
                                  const float2* __restrict__ locations, int num_points, int seed,
                                  float* __restrict__ integrals, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    uint32_t rng = random_state(seed, i);
    const float u0 = random_float(rng);
    const float u1 = random_float(rng);
    const float2 shift = make_float2(u0, u1);
    float total = 0.0f;
    for (int k = 0; k < num_points; ++k) {
        float2 point = sequence_point(k, num_points) + shift;
        point = make_float2(fraction(point.x), fraction(point.y));
        point = make_float2(1.0f - fabsf(2.0f * point.x - 1.0f), 1.0f - fabsf(2.0f * point.y - 1.0f));
        total += gaussian(point, difficulties[i], locations[i]);
    }
    integrals[i] = total / float(num_points);
}

cudaError_t launch_quasi_monte_carlo(const float2* difficulties, const float2* locations, int num_points,
                                     int seed, float* integrals, int count, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    quasi_monte_carlo<<<grid, block, 0, stream>>>(difficulties, locations, num_points, seed, integrals,
                                                  count);
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

int main() {
    const int count = 64;
    Array<float2, float> difficulties(count), locations(count);
    Array<float> integrals(count);
    const int num_points = 48, seed = 9108;
    fill_uniform(difficulties, 0x2370168f, 1.0, 4.0);
    fill_uniform(locations, 0x9c9df0a2, 0.2, 0.8);
    CUDA_CHECK(launch_quasi_monte_carlo(difficulties.device, locations.device, num_points, seed,
                                        integrals.device, count));
    integrals.download();
    double sum = 0.0;
    for (size_t i = 0; i < integrals.count; ++i) sum += integrals.host[i];
    std::printf("integrals: first %g, last %g, sum %.9g\n", integrals.host[0],
                integrals.host[integrals.count - 1], sum);
    return 0;
}
