#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float EPSILON = 0.01f;

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Euclidean length.
__device__ float safe_norm(float3 x) { return length(x); }

// Gradient of safe_norm, which is bounded at zero.
__device__ float3 safe_norm_slope(float3 x) { return x / fmaxf(length(x), EPSILON); }

// Distance of each point, weighted, and its gradient, which stays finite where both agree.
__global__ void point_distance_loss(const float3* __restrict__ points, const float3* __restrict__ references,
                                    const float* __restrict__ weights, float* __restrict__ losses,
                                    float3* __restrict__ gradients, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 residual = points[i] - references[i];
    losses[i] = weights[i] * safe_norm(residual);
    gradients[i] = weights[i] * safe_norm_slope(residual);
}

cudaError_t launch_point_distance_loss(const float3* points, const float3* references, const float* weights,
                                       float* losses, float3* gradients, int n,
                                       cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    point_distance_loss<<<grid, block, 0, stream>>>(points, references, weights, losses, gradients, n);
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

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float3, float> points(n), references(n), gradients(n);
    Array<float> weights(n), losses(n);
    fill_uniform(points, 0x2370168f, -1.0, 1.0);
    fill_uniform(references, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(weights, 0x8a2e10de, 0.5, 2.0);
    CUDA_CHECK(launch_point_distance_loss(points.device, references.device, weights.device, losses.device,
                                          gradients.device, n));
    print_output("losses", losses);
    print_output("gradients", gradients);
    return 0;
}
