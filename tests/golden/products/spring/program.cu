#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2& operator+=(float2& a, float2 b) { return a = a + b; }
__device__ inline float2& operator-=(float2& a, float2 b) { return a = a - b; }
__device__ inline float length_squared(float2 a) { return dot(a, a); }

// Return the force on p of a spring to another point.
__device__ float2 stretch_force(float2 p, float2 other, float rest, float stiffness) {
    const float2 d = other - p;
    const float len = length(d);
    return stiffness * (len - rest) / len * d;
}

// Compute the bending energy and the forces of stretching, bending and gravity on each point of an elastic
// rod, whose first two points are clamped. Bending pulls the second differences of the points to zero.
__global__ void rod_bending_forces(const float2* __restrict__ points, float rest, float stiffness,
                                   float bending, float2 gravity, float* __restrict__ energies,
                                   float2* __restrict__ forces, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float2 p = points[i];
    float2 force = gravity;
    // the second difference at a point pushes it, and half as much its neighbors
    float2 here = make_float2(0.0f, 0.0f);
    if (i > 0 && i < count - 1) {
        here = points[i - 1] - 2.0f * p + points[i + 1];
        force += 2.0f * bending * here;
    }
    if (i > 0) {
        force += stretch_force(p, points[i - 1], rest, stiffness);
        if (i > 1) {
            force -= bending * (points[i - 2] - 2.0f * points[i - 1] + p);
        }
    }
    if (i < count - 1) {
        force += stretch_force(p, points[i + 1], rest, stiffness);
        if (i < count - 2) {
            force -= bending * (p - 2.0f * points[i + 1] + points[i + 2]);
        }
    }
    energies[i] = 0.5f * bending * length_squared(here);
    if (i < 2) {
        force = make_float2(0.0f, 0.0f);
    }
    forces[i] = force;
}

cudaError_t launch_rod_bending_forces(const float2* points, float rest, float stiffness, float bending,
                                      float2 gravity, float* energies, float2* forces, int count,
                                      cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    rod_bending_forces<<<grid, block, 0, stream>>>(points, rest, stiffness, bending, gravity, energies,
                                                   forces, count);
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

void fill_uniform(Array<float2, float>& x, unsigned seed, double low, double high) {
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
    const int count = 1004;
    Array<float2, float> points(count), forces(count);
    Array<float> energies(count);
    const float rest = 0.428161f, stiffness = 5.6056848f, bending = 1.5687445f;
    const float2 gravity = make_float2(-0.7499459f, -0.7063505f);
    fill_uniform(points, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_rod_bending_forces(points.device, rest, stiffness, bending, gravity, energies.device,
                                         forces.device, count));
    print_output("energies", energies);
    print_output("forces", forces);
    return 0;
}
