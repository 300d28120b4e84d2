#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float PI = 3.1415927f;

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3& operator-=(float3& a, float3 b) { return a = a - b; }

// Gradient of the spiky kernel.
__device__ float3 spiky_gradient(float3 offset, float support) {
    const float r = length(offset);
    if (r <= 1e-6f || r >= support) {
        return make_float3(0.0f, 0.0f, 0.0f);
    }
    return -45.0f / (PI * powf(support, 6.0f)) * (support - r) * (support - r) / r * offset;
}

// SPH pressure acceleration in its symmetric form.
// Precondition: elements of neighbors lie in [0, n).
__global__ void sph_pressure_force(const float3* __restrict__ positions, const float* __restrict__ densities,
                                   const float* __restrict__ pressures, const int* __restrict__ neighbors,
                                   const int* __restrict__ neighbor_counts, float support, float mass,
                                   float3* __restrict__ accelerations, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 here = positions[i];
    const float own = pressures[i] / (densities[i] * densities[i]);
    float3 total = make_float3(0.0f, 0.0f, 0.0f);
    const int k_end = neighbor_counts[i];
    for (int k = 0; k < k_end; ++k) {
        const int j = neighbors[size_t(k) * n + i];
        if (j != i) {
            const float term = own + pressures[j] / (densities[j] * densities[j]);
            total -= mass * term * spiky_gradient(here - positions[j], support);
        }
    }
    accelerations[i] = total;
}

cudaError_t launch_sph_pressure_force(const float3* positions, const float* densities, const float* pressures,
                                      const int* neighbors, const int* neighbor_counts, float support,
                                      float mass, float3* accelerations, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sph_pressure_force<<<grid, block, 0, stream>>>(positions, densities, pressures, neighbors,
                                                   neighbor_counts, support, mass, accelerations, n);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float3, float> positions(n), accelerations(n);
    Array<float> densities(n), pressures(n);
    Array<int> neighbors(24 * n), neighbor_counts(n);
    const float support = 0.9236911f, mass = 0.06034923f;
    fill_uniform(positions, 0x2370168f, -0.4, 0.4);
    fill_uniform(densities, 0x9c9df0a2, 0.8, 1.2);
    fill_uniform(pressures, 0x8a2e10de, 0.0, 2.0);
    fill_integers(neighbors, 0x86a00a5c, n);
    fill_integers(neighbor_counts, 0x14cd5bc2, 25);
    CUDA_CHECK(launch_sph_pressure_force(positions.device, densities.device, pressures.device,
                                         neighbors.device, neighbor_counts.device, support, mass,
                                         accelerations.device, n));
    accelerations.download();
    double sum = 0.0;
    for (size_t i = 0; i < accelerations.count; ++i) sum += accelerations.host[i];
    std::printf("accelerations: first %g, last %g, sum %.9g\n", accelerations.host[0],
                accelerations.host[accelerations.count - 1], sum);
    return 0;
}
