#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float DRIVE_VOLTAGE = 0.6f;
constexpr float WAVE_NUMBER = 4.6f;
constexpr float FLOW_SPEED = 0.6f;
constexpr float PI = 3.1415927f;
constexpr float VISCOSITY = 0.3f;

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// Electric field in a Paul trap.
__device__ float3 paul_trap_field(float3 position, float static_voltage, float phase) {
    const float strength = static_voltage + DRIVE_VOLTAGE * cosf(phase);
    return make_float3(0.5f * strength * position.x, 0.5f * strength * position.y,
                       -1.0f * strength * position.z);
}

// Compute the acceleration of each particle from the net force and gravity. Take the force in an electric and
// a magnetic field, and the drag by Stokes's law, and sum the net force from interaction and drag.
__global__ void compute_acceleration(const float* __restrict__ charges, const float3* __restrict__ velocities,
                                     const float3* __restrict__ positions, const float* __restrict__ radii,
                                     const float* __restrict__ masses, float static_voltage, float phase,
                                     float guide_field, float sheet_width, float sheet_field, float gravity,
                                     float3* __restrict__ accelerations, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float charge = charges[i];
    const float3 velocity = velocities[i];
    const float3 position = positions[i];
    const float3 electric_field = paul_trap_field(position, static_voltage, phase);
    const float across = sheet_field * tanhf(position.y / sheet_width);
    const float3 magnetic_field = make_float3(across, 0.0f, guide_field);
    const float3 force = charge * (electric_field + cross(velocity, magnetic_field));
    const float x = WAVE_NUMBER * position.x;
    const float y = WAVE_NUMBER * position.y;
    const float3 flow_velocity =
        make_float3(FLOW_SPEED * sinf(x) * cosf(y), -FLOW_SPEED * cosf(x) * sinf(y), 0.0f);
    const float radius = radii[i];
    const float3 drag_force = 6.0f * (PI * VISCOSITY * radius) * (flow_velocity - velocity);
    const float3 net_force = force + drag_force;
    const float mass = masses[i];
    const float3 acceleration = net_force / mass - make_float3(0.0f, gravity, 0.0f);
    accelerations[i] = acceleration;
}

cudaError_t launch_compute_acceleration(const float* charges, const float3* velocities,
                                        const float3* positions, const float* radii, const float* masses,
                                        float static_voltage, float phase, float guide_field,
                                        float sheet_width, float sheet_field, float gravity,
                                        float3* accelerations, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_acceleration<<<grid, block, 0, stream>>>(charges, velocities, positions, radii, masses,
                                                     static_voltage, phase, guide_field, sheet_width,
                                                     sheet_field, gravity, accelerations, n);
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
    Array<float> charges(n), radii(n), masses(n);
    Array<float3, float> velocities(n), positions(n), accelerations(n);
    const float static_voltage = 1.65661f, phase = 3.1674147f, guide_field = 1.1142377f,
                sheet_width = 0.45772934f, sheet_field = 0.9483737f, gravity = 5.3867283f;
    fill_uniform(charges, 0x2370168f, -1.0, 1.0);
    fill_uniform(velocities, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(positions, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(radii, 0x86a00a5c, 0.1, 0.3);
    fill_uniform(masses, 0x14cd5bc2, 0.2, 0.5);
    CUDA_CHECK(launch_compute_acceleration(charges.device, velocities.device, positions.device, radii.device,
                                           masses.device, static_voltage, phase, guide_field, sheet_width,
                                           sheet_field, gravity, accelerations.device, n));
    accelerations.download();
    double sum = 0.0;
    for (size_t i = 0; i < accelerations.count; ++i) sum += accelerations.host[i];
    std::printf("accelerations: first %g, last %g, sum %.9g\n", accelerations.host[0],
                accelerations.host[accelerations.count - 1], sum);
    return 0;
}
