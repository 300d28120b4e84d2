#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Return v rotated about a unit axis by an angle in radians, by Rodrigues' formula.
__device__ float3 rodrigues(float3 v, float3 axis, float angle) {
    float sin_angle, c;
    sincosf(angle, &sin_angle, &c);
    return c * v + sin_angle * cross(axis, v) + (1.0f - c) * dot(axis, v) * axis;
}

// Rotate each point by its own angle in radians about its own unit axis, by Rodrigues' formula.
__global__ void rodrigues_batch(const float3* __restrict__ x, const float3* __restrict__ axes,
                                const float* __restrict__ angles, float3* __restrict__ y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    y[i] = rodrigues(x[i], axes[i], angles[i]);
}

cudaError_t launch_rodrigues_batch(const float3* x, const float3* axes, const float* angles, float3* y, int n,
                                   cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    rodrigues_batch<<<grid, block, 0, stream>>>(x, axes, angles, y, n);
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

template <typename T>
void scale_to_unit_length(T* x, int count) {
    double square = 0.0;
    for (int k = 0; k < count; ++k) square += double(x[k]) * x[k];
    const double length = std::sqrt(square);
    for (int k = 0; k < count; ++k) x[k] = x[k] / length;
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

// Of every `total` numbers, those from `first` on become a unit vector.
void normalize_each(Array<float3, float>& x, int total, int first) {
    for (size_t i = first; i < x.count; i += total) scale_to_unit_length(&x.host[i], total - first);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float3, float> x(n), axes(n), y(n);
    Array<float> angles(n);
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(axes, 0x9c9df0a2, 0.2, 1.0);
    normalize_each(axes, 3, 0);
    fill_uniform(angles, 0x8a2e10de, -3.0, 3.0);
    CUDA_CHECK(launch_rodrigues_batch(x.device, axes.device, angles.device, y.device, n));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
