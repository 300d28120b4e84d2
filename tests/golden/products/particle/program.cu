#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

// Rotate a velocity around the magnetic field, where half_turn is q B dt / (2 m).
__device__ float3 boris_rotate(float3 velocity, float3 half_turn) {
    const float3 s = 2.0f / (1.0f + dot(half_turn, half_turn)) * half_turn;
    const float3 prime = velocity + cross(velocity, half_turn);
    return velocity + cross(prime, s);
}

// Advance charged particles by a Boris push: half an electric kick, a magnetic rotation, another half kick,
// and a drift.
__global__ void push_particles(const float3* __restrict__ electric, float3 magnetic, float charge_to_mass,
                               float dt, float3* __restrict__ x, float3* __restrict__ v, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 kick = 0.5f * dt * charge_to_mass * electric[p];
    const float3 minus = v[p] + kick;
    const float3 half_turn = 0.5f * dt * charge_to_mass * magnetic;
    const float3 updated = boris_rotate(minus, half_turn) + kick;
    v[p] = updated;
    x[p] += dt * updated;
}

cudaError_t launch_push_particles(const float3* electric, float3 magnetic, float charge_to_mass, float dt,
                                  float3* x, float3* v, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    push_particles<<<grid, block, 0, stream>>>(electric, magnetic, charge_to_mass, dt, x, v, n);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float3, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float3, float> electric(n), x(n), v(n);
    const float3 magnetic = make_float3(-0.97471213f, -0.25783086f, -0.7800784f);
    const float charge_to_mass = -1.459621f, dt = 0.054199826f;
    fill_uniform(electric, 0x2370168f, -1.0, 1.0);
    fill_uniform(x, 0x14cd5bc2, 0.1, 4.0);
    fill_uniform(v, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(launch_push_particles(electric.device, magnetic, charge_to_mass, dt, x.device, v.device, n));
    print_output("x", x);
    print_output("v", v);
    return 0;
}
