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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int n = 1000;
    Array<float2> velocities(n), axis_hints(n);
    Array<float> component_totals(n);
    for (size_t i = 0; i < 2 * velocities.count; ++i) {
        reinterpret_cast<float*>(velocities.host)[i] = random_uniform(0, i, -1.0, 1.0);
        reinterpret_cast<float*>(axis_hints.host)[i] = random_uniform(1, i, -1.0, 1.0);
    }
    for (size_t i = 0; i < component_totals.count; ++i)
        component_totals.host[i] = random_uniform(2, i, -1.0, 1.0);
    velocities.upload();
    axis_hints.upload();
    component_totals.upload();
    CUDA_CHECK(launch_vector_fields(velocities.device, axis_hints.device, component_totals.device, n));
    component_totals.download();
    print_output("component_totals", component_totals.host, component_totals.count);
    return EXIT_SUCCESS;
}
