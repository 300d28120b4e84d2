#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// laplacian_viscosity_kernel: Sum the viscosity force of each particle from the neighbors' relative
// velocities.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Estimate the density of each particle from the masses of the neighbors under Lucy's kernel.
__global__ void estimate_lucy_density(const float3* __restrict__ positions, const float* __restrict__ masses,
                                      const int* __restrict__ neighbors, float smoothing_radius,
                                      int max_neighbors, float* __restrict__ densities, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 position = positions[i];
    float density = masses[i] * (2.08891f / (smoothing_radius * smoothing_radius * smoothing_radius));
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int j = neighbors[size_t(i) * max_neighbors + slot];
        if (j < 0) {
            break;
        }
        const float distance = length(position - positions[j]);
        const float q = fminf(distance / smoothing_radius, 1.0f);
        const float gap = 1.0f - q;
        const float square = gap * gap;
        density += masses[j] * (2.08891f / (smoothing_radius * smoothing_radius * smoothing_radius) *
                                (square * gap * (1.0f + 3.0f * q)));
    }
    densities[i] = density;
}

cudaError_t launch_estimate_lucy_density(const float3* positions, const float* masses, const int* neighbors,
                                         float smoothing_radius, int max_neighbors, float* densities, int n,
                                         cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    estimate_lucy_density<<<grid, block, 0, stream>>>(positions, masses, neighbors, smoothing_radius,
                                                      max_neighbors, densities, n);
    return cudaGetLastError();
}

// Sum the viscosity force of each particle from the neighbors' relative velocities. The viscosity is computed
// by Sutherland's law of temperature.
__global__ void sum_viscosity_force(const float3* __restrict__ positions,
                                    const float3* __restrict__ velocities,
                                    const float* __restrict__ densities, const float* __restrict__ masses,
                                    const float* __restrict__ temperatures, const int* __restrict__ neighbors,
                                    float3* __restrict__ viscosity_forces, float reference_viscosity,
                                    float sutherland_constant, float smoothing_radius, int max_neighbors,
                                    int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 position = positions[p];
    const float3 velocity = velocities[p];
    const float temperature = temperatures[p];
    const float root = sqrtf(temperature);
    const float viscosity = reference_viscosity * root * root * root * (1.0f + sutherland_constant) /
                            (temperature + sutherland_constant);
    float3 velocity_sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int j = neighbors[size_t(p) * max_neighbors + slot];
        if (j < 0) {
            break;
        }
        const float distance = length(positions[j] - position);
        if (distance < smoothing_radius) {
            const float share = masses[j] / densities[j] * (smoothing_radius - distance);
            velocity_sum += share * (velocities[j] - velocity);
        }
    }
    viscosity_forces[p] = viscosity * velocity_sum;
}

cudaError_t launch_sum_viscosity_force(const float3* positions, const float3* velocities,
                                       const float* densities, const float* masses, const float* temperatures,
                                       const int* neighbors, float3* viscosity_forces,
                                       float reference_viscosity, float sutherland_constant,
                                       float smoothing_radius, int max_neighbors, int n,
                                       cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sum_viscosity_force<<<grid, block, 0, stream>>>(positions, velocities, densities, masses, temperatures,
                                                    neighbors, viscosity_forces, reference_viscosity,
                                                    sutherland_constant, smoothing_radius, max_neighbors, n);
    return cudaGetLastError();
}

cudaError_t launch_laplacian_viscosity_kernel(const float3* positions, const float* masses,
                                              const int* neighbors, const float3* velocities,
                                              const float* temperatures, float* densities,
                                              float3* viscosity_forces, float smoothing_radius,
                                              int max_neighbors, float reference_viscosity,
                                              float sutherland_constant, int n,
                                              cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_estimate_lucy_density(
            positions, masses, neighbors, smoothing_radius, max_neighbors, densities, n, stream))
        return status;
    if (const cudaError_t status = launch_sum_viscosity_force(
            positions, velocities, densities, masses, temperatures, neighbors, viscosity_forces,
            reference_viscosity, sutherland_constant, smoothing_radius, max_neighbors, n, stream))
        return status;
    return cudaSuccess;
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, max_neighbors = 8;
    Array<float3, float> positions(n), velocities(n), viscosity_forces(n);
    Array<float> masses(n), temperatures(n), densities(n);
    Array<int> neighbors(n * max_neighbors);
    const float smoothing_radius = 0.9047459f, reference_viscosity = 0.15394078f,
                sutherland_constant = 0.2232037f;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_uniform(masses, 0x9c9df0a2, 0.2, 0.5);
    fill_integers(neighbors, 0x8a2e10de, -1, n);
    fill_uniform(velocities, 0x86a00a5c, -2.0, 2.0);
    fill_uniform(temperatures, 0x14cd5bc2, 0.2, 1.0);
    CUDA_CHECK(launch_laplacian_viscosity_kernel(positions.device, masses.device, neighbors.device,
                                                 velocities.device, temperatures.device, densities.device,
                                                 viscosity_forces.device, smoothing_radius, max_neighbors,
                                                 reference_viscosity, sutherland_constant, n));
    print_output("densities", densities);
    print_output("viscosity_forces", viscosity_forces);
    return 0;
}
