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

// Uniform in [low, high).
__device__ inline float random_float(uint32_t& state, float low, float high) {
    return (high - low) * random_float(state) + low;
}

// Compute the area of a hyperbolic cross by Monte Carlo.
__global__ void compute_hyperbola_area(const double* __restrict__ sides, double opening, int samples,
                                       int seed, double* __restrict__ areas, int n) {
    const int square = blockIdx.x * blockDim.x + threadIdx.x;
    if (square >= n) return;

    const double side = sides[square];
    uint32_t rng = random_state(seed, square);
    double total = 0.0;
    for (int sample = 0; sample < samples; ++sample) {
        const double x = double(random_float(rng, -1.0f, 1.0f));
        const double y = double(random_float(rng, -1.0f, 1.0f));
        total += fabs(x * y) < 0.5 * opening ? 1.0 : 0.0;
    }
    areas[square] = side * side * (total / double(samples));
}

cudaError_t launch_compute_hyperbola_area(const double* sides, double opening, int samples, int seed,
                                          double* areas, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_hyperbola_area<<<grid, block, 0, stream>>>(sides, opening, samples, seed, areas, n);
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
    Array<double> sides(n), areas(n);
    const double opening = 0.3537932091613012;
    const int samples = 23, seed = 5518;
    fill_uniform(sides, 0x2370168f, 0.5, 2.0);
    CUDA_CHECK(launch_compute_hyperbola_area(sides.device, opening, samples, seed, areas.device, n));
    areas.download();
    double sum = 0.0;
    for (size_t i = 0; i < areas.count; ++i) sum += areas.host[i];
    std::printf("areas: first %g, last %g, sum %.9g\n", areas.host[0], areas.host[areas.count - 1], sum);
    return 0;
}
