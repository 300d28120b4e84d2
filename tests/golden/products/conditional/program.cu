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
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Compute the dogleg step: Newton's step if it lies inside the trust region, else the point where the path
// over the Cauchy point leaves it.
__global__ void dogleg_step(const float3* __restrict__ cauchy_points, const float3* __restrict__ newton_steps,
                            float radius, float3* __restrict__ steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 cauchy = cauchy_points[i];
    const float3 newton = newton_steps[i];
    if (length(newton) <= radius) {
        steps[i] = newton;
    } else if (length(cauchy) >= radius) {
        steps[i] = radius * normalize(cauchy);
    } else {
        const float3 leg = newton - cauchy;
        const float a = dot(leg, leg);
        const float b = dot(cauchy, leg);
        const float c = radius * radius - dot(cauchy, cauchy);
        const float tau = (sqrtf(fmaxf(b * b + a * c, 0.0f)) - b) / a;
        steps[i] = cauchy + tau * leg;
    }
}

cudaError_t launch_dogleg_step(const float3* cauchy_points, const float3* newton_steps, float radius,
                               float3* steps, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    dogleg_step<<<grid, block, 0, stream>>>(cauchy_points, newton_steps, radius, steps, n);
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

int main() {
    const int n = 1000;
    Array<float3, float> cauchy_points(n), newton_steps(n), steps(n);
    const float radius = 0.9161516f;
    fill_uniform(cauchy_points, 0x2370168f, 0.2, 0.8);
    fill_uniform(newton_steps, 0x9c9df0a2, 0.4, 2.0);
    CUDA_CHECK(launch_dogleg_step(cauchy_points.device, newton_steps.device, radius, steps.device, n));
    steps.download();
    double sum = 0.0;
    for (size_t i = 0; i < steps.count; ++i) sum += steps.host[i];
    std::printf("steps: first %g, last %g, sum %.9g\n", steps.host[0], steps.host[steps.count - 1], sum);
    return 0;
}
