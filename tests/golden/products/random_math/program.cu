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

// Tuning of estimate area.
struct EstimateAreaTuning {
    float radius;
};

// Settings for estimate area.
struct EstimateAreaParams {
    EstimateAreaTuning tuning;
};

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

// Monte Carlo area of a shape in the unit square from 24 points. The area goes through a softplus.
__global__ void estimate_area(int seed, EstimateAreaParams params, int n, float* __restrict__ areas) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t rng = random_state(seed, i);
        float inside = 0.0f;
        for (int iteration = 0; iteration < 24; ++iteration) {
            const float x = random_float(rng);
            const float y = random_float(rng);
            if (x + y < params.tuning.radius) {
                inside += 1.0f;
            }
        }
        const float area = inside / 24.0f;
        areas[i] = logf(1.0f + expf(area));
    }
}

cudaError_t launch_estimate_area(int seed, EstimateAreaParams params, int stride, int n, float* areas,
                                 cudaStream_t stream = nullptr) {
    if (stride == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (stride + block - 1) / block;
    estimate_area<<<grid, block, 0, stream>>>(seed, params, n, areas);
    return cudaGetLastError();
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
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

int main() {
    const int n = 1000, threads = 125;
    Array<float> areas(n);
    EstimateAreaParams params{};
    params.tuning.radius = 0.6153449f;
    const int seed = 9243;
    CUDA_CHECK(launch_estimate_area(seed, params, threads, n, areas.device));
    areas.download();
    double sum = 0.0;
    for (size_t i = 0; i < areas.count; ++i) sum += areas.host[i];
    std::printf("areas: first %g, last %g, sum %.9g\n", areas.host[0], areas.host[areas.count - 1], sum);
    return 0;
}
