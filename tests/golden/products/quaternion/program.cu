#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 divide_components(float3 a, float3 b) {
    return make_float3(a.x / b.x, a.y / b.y, a.z / b.z);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// Inertia as that of a cylinder along the third axis.
__device__ float3 cylinder_inertia(float mass, float radius, float height) {
    const float across = mass * (3.0f * radius * radius + height * height) / 12.0f;
    return make_float3(across, across, 0.5f * mass * radius * radius);
}

// Advance the local spin of each body by the torque, with damping taken implicitly, where the inertia is that
// of a cylinder along the third axis.
__global__ void advance_local_spin(const float3* __restrict__ local_spins, const float3* __restrict__ torques,
                                   const float* __restrict__ masses, const float* __restrict__ radii,
                                   const float* __restrict__ heights, float angular_damping, float dt,
                                   float3* __restrict__ new_local_spins, int n) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n) return;

    const float3 local_spin = local_spins[b];
    const float3 torque = torques[b];
    const float mass = masses[b];
    const float radius = radii[b];
    const float height = heights[b];
    const float3 inertia = cylinder_inertia(mass, radius, height);
    const float3 new_local_spin =
        (local_spin + dt * divide_components(torque, inertia)) / (1.0f + angular_damping * dt);
    new_local_spins[b] = new_local_spin;
}

cudaError_t launch_advance_local_spin(const float3* local_spins, const float3* torques, const float* masses,
                                      const float* radii, const float* heights, float angular_damping,
                                      float dt, float3* new_local_spins, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    advance_local_spin<<<grid, block, 0, stream>>>(local_spins, torques, masses, radii, heights,
                                                   angular_damping, dt, new_local_spins, n);
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
    Array<float3, float> local_spins(n), torques(n), new_local_spins(n);
    Array<float> masses(n), radii(n), heights(n);
    const float angular_damping = 0.4141525f, dt = 0.025713904f;
    fill_uniform(local_spins, 0x2370168f, -3.0, 3.0);
    fill_uniform(torques, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(masses, 0x8a2e10de, 0.5, 3.0);
    fill_uniform(radii, 0x86a00a5c, 0.5, 1.0);
    fill_uniform(heights, 0x14cd5bc2, 0.5, 2.0);
    CUDA_CHECK(launch_advance_local_spin(local_spins.device, torques.device, masses.device, radii.device,
                                         heights.device, angular_damping, dt, new_local_spins.device, n));
    new_local_spins.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_local_spins.count; ++i) sum += new_local_spins.host[i];
    std::printf("new_local_spins: first %g, last %g, sum %.9g\n", new_local_spins.host[0],
                new_local_spins.host[new_local_spins.count - 1], sum);
    return 0;
}
