#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Vector that grows with its own length.
__device__ float2 evaluate_stretch(float2 v, float factor) { return factor * (1.0f + dot(v, v)) * v; }

// Component along another vector of a vector that grows with its own length, with its own gradient. The
// component is added to a running total.
__global__ void vector_fields(const float2* __restrict__ velocities, const float2* __restrict__ axis_hints,
                              float* __restrict__ component_totals, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float2 axis_hint = axis_hints[i];
    const float2 velocity = velocities[i];
    const float2 mapped = evaluate_stretch(velocity, 1.8f);
    component_totals[i] += dot(mapped, axis_hint);
}

cudaError_t launch_vector_fields(const float2* velocities, const float2* axis_hints, float* component_totals,
                                 int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    vector_fields<<<grid, block, 0, stream>>>(velocities, axis_hints, component_totals, n);
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float2, float> velocities(n), axis_hints(n);
    Array<float> component_totals(n);
    fill_uniform(velocities, 0x2370168f, -1.0, 1.0);
    fill_uniform(axis_hints, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(component_totals, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_vector_fields(velocities.device, axis_hints.device, component_totals.device, n));
    component_totals.download();
    double sum = 0.0;
    for (size_t i = 0; i < component_totals.count; ++i) sum += component_totals.host[i];
    std::printf("component_totals: first %g, last %g, sum %.9g\n", component_totals.host[0],
                component_totals.host[component_totals.count - 1], sum);
    return 0;
}
