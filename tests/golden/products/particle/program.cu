#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Velocity Verlet step with the forces before and after it.
__global__ void verlet_step(const float3* __restrict__ forces, const float3* __restrict__ new_forces,
                            const float* __restrict__ masses, float dt, float3* __restrict__ x,
                            float3* __restrict__ v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 a = forces[i] / masses[i];
    const float3 new_a = new_forces[i] / masses[i];
    x[i] = x[i] + dt * v[i] + 0.5f * dt * dt * a;
    v[i] = v[i] + 0.5f * dt * (a + new_a);
}

cudaError_t launch_verlet_step(const float3* forces, const float3* new_forces, const float* masses, float dt,
                               float3* x, float3* v, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    verlet_step<<<grid, block, 0, stream>>>(forces, new_forces, masses, dt, x, v, n);
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

void print_output(const char* name, Array<float3, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float3, float> forces(n), new_forces(n), x(n), v(n);
    Array<float> masses(n);
    const float dt = 0.027099913f;
    fill_uniform(forces, 0x2370168f, -1.0, 1.0);
    fill_uniform(new_forces, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(masses, 0x8a2e10de, 0.5, 2.0);
    fill_uniform(x, 0x14cd5bc2, -0.1, 1.0);
    fill_uniform(v, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(
        launch_verlet_step(forces.device, new_forces.device, masses.device, dt, x.device, v.device, n));
    print_output("x", x);
    print_output("v", v);
    return 0;
}
