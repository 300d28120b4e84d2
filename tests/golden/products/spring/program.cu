#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

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
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }

// Each component is updated atomically, the whole is not.
__device__ inline void add_atomically(float3* address, float3 v) {
    atomicAdd(&address->x, v.x);
    atomicAdd(&address->y, v.y);
    atomicAdd(&address->z, v.z);
}

// Add the force of each damped spring to both its ends. The stiffness is force per unit strain.
// Precondition: elements of springs are indices of positions and velocities.
__global__ void eval_springs(const float3* __restrict__ positions, const float3* __restrict__ velocities,
                             const int2* __restrict__ springs, const float* __restrict__ rest_lengths,
                             float stiffness, float damping, float3* forces, int n) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= n) return;

    const int i = springs[s].x;
    const int j = springs[s].y;
    const float3 d = positions[i] - positions[j];
    const float len = length(d);
    const float rest = rest_lengths[s];
    const float strain = (len - rest) / rest;
    float tension = stiffness * strain;
    // coincident ends have no direction to pull in
    if (len > 0.0f) {
        const float3 direction = d / len;
        tension += damping * dot(direction, velocities[i] - velocities[j]);
        add_atomically(&forces[i], -(tension * direction));
        add_atomically(&forces[j], tension * direction);
    }
}

cudaError_t launch_eval_springs(const float3* positions, const float3* velocities, const int2* springs,
                                const float* rest_lengths, float stiffness, float damping, float3* forces,
                                int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_springs<<<grid, block, 0, stream>>>(positions, velocities, springs, rest_lengths, stiffness, damping,
                                             forces, n);
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
    const int n = 1000, particles = 337;
    Array<float3, float> positions(particles), velocities(particles), forces(particles);
    Array<int2, int> springs(n);
    Array<float> rest_lengths(n);
    const float stiffness = 9.688515f, damping = 0.4236911f;
    fill_uniform(positions, 0x2370168f, -5.0, 5.0);
    fill_uniform(velocities, 0x9c9df0a2, -1.0, 1.0);
    for (size_t i = 0; i < springs.count; ++i) springs.host[i] = pcg(0x8a2e10de + i) % particles;
    springs.upload();
    fill_uniform(rest_lengths, 0x86a00a5c, 0.5, 1.5);
    CUDA_CHECK(launch_eval_springs(positions.device, velocities.device, springs.device, rest_lengths.device,
                                   stiffness, damping, forces.device, n));
    forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < forces.count; ++i) sum += forces.host[i];
    std::printf("forces: first %g, last %g, sum %.9g\n", forces.host[0], forces.host[forces.count - 1], sum);
    return 0;
}
