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
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Compute the speed of sound of each particle as that of an ideal gas. The pressure is computed by Tait's
// equation of state. The angular momentum is computed as well, about the third axis. The velocity is blended
// as well, with that of a vortex.
__global__ void particle_sound_speed(const float3* __restrict__ positions, const float* __restrict__ masses,
                                     const int* __restrict__ neighbors, const float3* __restrict__ velocities,
                                     int max_neighbors, float stiffness, float rest_density, float gamma,
                                     float3 center, float swirl, float* __restrict__ sound_speeds,
                                     float* __restrict__ angular_momenta,
                                     float3* __restrict__ smoothed_velocities, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 position = positions[p];
    float density = masses[p] * 1.473657f;
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int j = neighbors[size_t(p) * max_neighbors + slot];
        if (j < 0) {
            break;
        }
        const float distance = length(position - positions[j]);
        const float q = fminf(distance / 1.2f, 1.0f);
        const float gap = 1.0f - q;
        density +=
            masses[j] * (1.473657f * (q < 0.5f ? 6.0f * (q - 1.0f) * q * q + 1.0f : 2.0f * gap * gap * gap));
    }
    const float compression = density / rest_density;
    const float cube = compression * compression * compression;
    const float pressure = fmaxf(stiffness * (cube * cube * compression - 1.0f), 0.0f);
    const float sound_speed = sqrtf(fmaxf(gamma * pressure / density, 1e-6f));
    sound_speeds[p] = sound_speed;
    const float mass = masses[p];
    const float3 velocity = velocities[p];
    const float3 momentum = mass * velocity;
    const float angular_momentum = position.x * momentum.y - position.y * momentum.x;
    angular_momenta[p] = angular_momentum;
    const float3 arm = position - center;
    // 0 - x rather than -x: the negative of zero is zero, not negative zero.
    const float3 smoothed_velocity =
        velocity + 0.55f * (swirl * make_float3(0.0f - arm.y, arm.x, 0.0f) - velocity);
    smoothed_velocities[p] = smoothed_velocity;
}

cudaError_t launch_particle_sound_speed(const float3* positions, const float* masses, const int* neighbors,
                                        const float3* velocities, int max_neighbors, float stiffness,
                                        float rest_density, float gamma, float3 center, float swirl,
                                        float* sound_speeds, float* angular_momenta,
                                        float3* smoothed_velocities, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    particle_sound_speed<<<grid, block, 0, stream>>>(positions, masses, neighbors, velocities, max_neighbors,
                                                     stiffness, rest_density, gamma, center, swirl,
                                                     sound_speeds, angular_momenta, smoothed_velocities, n);
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
    const int n = 1000, max_neighbors = 16;
    Array<float3, float> positions(n), velocities(n), smoothed_velocities(n);
    Array<float> masses(n), sound_speeds(n), angular_momenta(n);
    Array<int> neighbors(n * max_neighbors);
    const float stiffness = 2.5230694f, rest_density = 1.0017462f, gamma = 1.4387176f, swirl = 1.1236447f;
    const float3 center = make_float3(-0.07045108f, 0.11069846f, -0.40173858f);
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_uniform(masses, 0x9c9df0a2, 0.05, 0.15);
    fill_integers(neighbors, 0x8a2e10de, -1, n);
    fill_uniform(velocities, 0x86a00a5c, -2.0, 2.0);
    CUDA_CHECK(launch_particle_sound_speed(positions.device, masses.device, neighbors.device,
                                           velocities.device, max_neighbors, stiffness, rest_density, gamma,
                                           center, swirl, sound_speeds.device, angular_momenta.device,
                                           smoothed_velocities.device, n));
    print_output("sound_speeds", sound_speeds);
    print_output("angular_momenta", angular_momenta);
    print_output("smoothed_velocities", smoothed_velocities);
    return 0;
}
