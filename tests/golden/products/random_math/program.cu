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

constexpr float MARGIN = 1e-6f;

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

// Return a quantile of the Kumaraswamy distribution with parameters first and second.
__device__ float quantile_of(float u, float first, float second) {
    return powf(1.0f - powf(1.0f - u, 1.0f / second), 1.0f / first);
}

// Draw Kumaraswamy variates by inversion, with one uniform number per stratum.
__global__ void kumaraswamy_variates(const float* __restrict__ a, const float* __restrict__ b, int num_draws,
                                     int seed, float* __restrict__ variates, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    uint32_t rng = random_state(seed, i);
    for (int k = 0; k < num_draws; ++k) {
        float u = (float(k) + random_float(rng)) / float(num_draws);
        u = fminf(fmaxf(MARGIN, u), 1.0f - MARGIN);
        variates[k * count + i] = quantile_of(u, a[i], b[i]);
    }
}

cudaError_t launch_kumaraswamy_variates(const float* a, const float* b, int num_draws, int seed,
                                        float* variates, int count, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    if (int64_t(num_draws) * count > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    kumaraswamy_variates<<<grid, block, 0, stream>>>(a, b, num_draws, seed, variates, count);
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
    const int count = 126, num_draws = 8;
    Array<float> a(count), b(count), variates(num_draws * count);
    const int seed = 9108;
    fill_uniform(a, 0x2370168f, 1.0, 3.0);
    fill_uniform(b, 0x9c9df0a2, 1.0, 3.0);
    CUDA_CHECK(launch_kumaraswamy_variates(a.device, b.device, num_draws, seed, variates.device, count));
    variates.download();
    double sum = 0.0;
    for (size_t i = 0; i < variates.count; ++i) sum += variates.host[i];
    std::printf("variates: first %g, last %g, sum %.9g\n", variates.host[0],
                variates.host[variates.count - 1], sum);
    return 0;
}
