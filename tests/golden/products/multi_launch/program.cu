#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// particle_acceleration: Compute the acceleration of each particle by buoyancy and vorticity confinement.

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
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// Estimate the density of each particle from the masses of the neighbors under the poly6 kernel.
__global__ void estimate_poly6_density(const float3* __restrict__ positions, const float* __restrict__ masses,
                                       const int* __restrict__ neighbors, int max_neighbors,
                                       float* __restrict__ densities, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 position = positions[i];
    float density = masses[i] * 3.059924f;
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int neighbor = neighbors[size_t(i) * max_neighbors + slot];
        if (neighbor < 0) {
            break;
        }
        const float distance = length(position - positions[neighbor]);
        const float q = fminf(distance / 0.8f, 1.0f);
        const float gap = 1.0f - q * q;
        const float square = gap * gap;
        density += masses[neighbor] * (3.059924f * (square * gap));
    }
    densities[i] = density;
}

cudaError_t launch_estimate_poly6_density(const float3* positions, const float* masses, const int* neighbors,
                                          int max_neighbors, float* densities, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    estimate_poly6_density<<<grid, block, 0, stream>>>(positions, masses, neighbors, max_neighbors, densities,
                                                       n);
    return cudaGetLastError();
}

// Compute the acceleration of each particle by buoyancy and vorticity confinement. The confinement force is
// computed to sustain vortices. Gradients are those of Lucy's kernel.
__global__ void compute_acceleration(const float3* __restrict__ positions,
                                     const float3* __restrict__ vorticities,
                                     const float* __restrict__ densities, const float* __restrict__ masses,
                                     const int* __restrict__ neighbors,
                                     const float* __restrict__ temperatures, float confinement,
                                     int max_neighbors, float3* __restrict__ accelerations, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 position = positions[p];
    const float3 vorticity = vorticities[p];
    float3 size_gradient = make_float3(0.0f, 0.0f, 0.0f);
    const float own_size = length(vorticity);
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int neighbor = neighbors[size_t(p) * max_neighbors + slot];
        if (neighbor < 0) {
            break;
        }
        const float3 offset = position - positions[neighbor];
        const float distance = fmaxf(length(offset), 0.0001f);
        const float q = fminf(distance / 0.8f, 1.0f);
        const float gap = 1.0f - q;
        const float3 gradient = 5.099878f * (-12.0f * q * (gap * gap)) / distance * offset;
        size_gradient +=
            masses[neighbor] / densities[neighbor] * (length(vorticities[neighbor]) - own_size) * gradient;
    }
    const float3 towards = size_gradient / (length(size_gradient) + 0.05f);
    const float3 confinement_force = confinement * cross(towards, vorticity);
    const float temperature = temperatures[p];
    const float density = densities[p];
    const float buoyancy = 1.4f * (temperature - 0.4f) - 0.12f * density;
    const float3 acceleration = confinement_force + make_float3(0.0f, buoyancy, 0.0f);
    accelerations[p] = acceleration;
}

cudaError_t launch_compute_acceleration(const float3* positions, const float3* vorticities,
                                        const float* densities, const float* masses, const int* neighbors,
                                        const float* temperatures, float confinement, int max_neighbors,
                                        float3* accelerations, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_acceleration<<<grid, block, 0, stream>>>(positions, vorticities, densities, masses, neighbors,
                                                     temperatures, confinement, max_neighbors, accelerations,
                                                     n);
    return cudaGetLastError();
}

cudaError_t launch_particle_acceleration(const float3* positions, const float* masses, const int* neighbors,
                                         const float3* vorticities, const float* temperatures,
                                         int max_neighbors, float confinement, float* densities,
                                         float3* accelerations, int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status =
            launch_estimate_poly6_density(positions, masses, neighbors, max_neighbors, densities, n, stream))
        return status;
    if (const cudaError_t status =
            launch_compute_acceleration(positions, vorticities, densities, masses, neighbors, temperatures,
                                        confinement, max_neighbors, accelerations, n, stream))
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
    Array<float3, float> positions(n), vorticities(n), accelerations(n);
    Array<float> masses(n), temperatures(n), densities(n);
    Array<int> neighbors(n * max_neighbors);
    const float confinement = 0.27696443f;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_uniform(masses, 0x9c9df0a2, 0.2, 0.5);
    fill_integers(neighbors, 0x8a2e10de, -1, n);
    fill_uniform(vorticities, 0x86a00a5c, -2.0, 2.0);
    fill_uniform(temperatures, 0x14cd5bc2, 0.2, 1.0);
    CUDA_CHECK(launch_particle_acceleration(positions.device, masses.device, neighbors.device,
                                            vorticities.device, temperatures.device, max_neighbors,
                                            confinement, densities.device, accelerations.device, n));
    print_output("densities", densities);
    print_output("accelerations", accelerations);
    return 0;
}
