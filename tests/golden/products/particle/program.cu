#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

// From a at t = 0 to b at t = 1.
__device__ inline float3 lerp(float3 a, float3 b, float t) { return a * (1.0f - t) + b * t; }

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float length_squared(float3 a) { return dot(a, a); }

// Return a field interpolated trilinearly at a point inside the grid, whose node (i, j, k) lies at
// (i, j, k) / inv_cell.
__device__ float3 gather_field(const float3* field, float3 p, float inv_cell, int field_planes,
                               int field_rows, int field_cols) {
    const float3 scaled = inv_cell * p;
    const int i = min(max(int(scaled.x), 0), field_planes - 2);
    const int j = min(max(int(scaled.y), 0), field_rows - 2);
    const int k = min(max(int(scaled.z), 0), field_cols - 2);
    const float3 f = scaled - make_float3(float(i), float(j), float(k));
    float3 total = make_float3(0.0f, 0.0f, 0.0f);
    for (int di = 0; di < 2; ++di) {
        const float wx = di == 0 ? 1.0f - f.x : f.x;
        for (int dj = 0; dj < 2; ++dj) {
            const float wy = dj == 0 ? 1.0f - f.y : f.y;
            const int index = ((i + di) * field_rows + j + dj) * field_cols + k;
            const float3 lower = field[index];
            const float3 upper = field[index + 1];
            total += wx * wy * lerp(lower, upper, f.z);
        }
    }
    return total;
}

// Return a velocity rotated about the magnetic field by Boris's method, where half_turn is q B dt / (2 m).
__device__ float3 rotate_velocity(float3 velocity, float3 half_turn) {
    const float3 s = 2.0f / (1.0f + dot(half_turn, half_turn)) * half_turn;
    const float3 prime = velocity + cross(velocity, half_turn);
    return velocity + cross(prime, s);
}

// Advance charged particles by a Boris push: half an electric kick, a magnetic rotation, another half kick,
// and a drift. Kinetic energies are per unit mass.
__global__ void advance_charges(const float3* __restrict__ electric, float3 magnetic, float inv_cell,
                                float charge_to_mass, float dt, float3* __restrict__ positions,
                                float3* __restrict__ velocities, float* __restrict__ energies, int n, int nx,
                                int ny, int nz) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 field = gather_field(electric, positions[p], inv_cell, nx, ny, nz);
    const float3 kick = 0.5f * dt * charge_to_mass * field;
    const float3 minus = velocities[p] + kick;
    const float3 half_turn = 0.5f * dt * charge_to_mass * magnetic;
    const float3 updated = rotate_velocity(minus, half_turn) + kick;
    velocities[p] = updated;
    positions[p] += dt * updated;
    energies[p] = 0.5f * length_squared(updated);
}

cudaError_t launch_advance_charges(const float3* electric, float3 magnetic, float inv_cell,
                                   float charge_to_mass, float dt, float3* positions, float3* velocities,
                                   float* energies, int n, int nx, int ny, int nz,
                                   cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    if (nx < 2 || ny < 2 || nz < 2 || int64_t(nx) * ny > INT_MAX || int64_t(nx) * ny * nz > INT_MAX)
        return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    advance_charges<<<grid, block, 0, stream>>>(electric, magnetic, inv_cell, charge_to_mass, dt, positions,
                                                velocities, energies, n, nx, ny, nz);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
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
    const int n = 1000, nx = 8, ny = 8, nz = 8;
    Array<float3, float> electric(nx * ny * nz), positions(n), velocities(n);
    Array<float> energies(n);
    const float3 magnetic = make_float3(-0.97471213f, -0.25783086f, -0.7800784f);
    const float inv_cell = 2.0f, charge_to_mass = -1.0725021f, dt = 0.04500541f;
    fill_uniform(electric, 0x2370168f, -1.0, 1.0);
    fill_uniform(positions, 0xa44fd9fd, 0.1, 3.0);
    fill_uniform(velocities, 0xf07bd7fc, -1.0, 1.0);
    CUDA_CHECK(launch_advance_charges(electric.device, magnetic, inv_cell, charge_to_mass, dt,
                                      positions.device, velocities.device, energies.device, n, nx, ny, nz));
    print_output("positions", positions);
    print_output("velocities", velocities);
    print_output("energies", energies);
    return 0;
}
