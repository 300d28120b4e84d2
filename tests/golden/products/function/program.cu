#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int MAX_STEPS = 24;

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 max_components(float3 a, float3 b) {
    return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
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

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Signed distance to an axis-aligned box.
__device__ float sd_box(float3 p, float3 half) {
    const float3 q = make_float3(fabsf(p.x), fabsf(p.y), fabsf(p.z)) - half;
    const float outside = length(max_components(q, make_float3(0.0f, 0.0f, 0.0f)));
    return outside + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0.0f);
}

// Signed distance to the scene: a ball and a box.
__device__ float scene(float3 p, float radius) {
    const float ball = length(p) - radius;
    const float other = sd_box(p, make_float3(0.6f, 0.4f, 0.5f));
    return fminf(ball, other);
}

// Sphere-trace each ray for a fixed number of steps.
__global__ void sphere_trace(const float3* __restrict__ origins, const float3* __restrict__ directions,
                             float radius, float* __restrict__ depths, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 origin = origins[i];
    const float3 direction = normalize(directions[i]);
    float t = 0.0f;
    for (int step = 0; step < MAX_STEPS; ++step) {
        t += scene(origin + t * direction, radius);
    }
    depths[i] = t;
}

cudaError_t launch_sphere_trace(const float3* origins, const float3* directions, float radius, float* depths,
                                int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sphere_trace<<<grid, block, 0, stream>>>(origins, directions, radius, depths, n);
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
    Array<float3, float> origins(n), directions(n);
    Array<float> depths(n);
    const float radius = 0.6161516f;
    fill_uniform(origins, 0x2370168f, 1.6, 1.9);
    fill_uniform(directions, 0x9c9df0a2, -1.0, -0.85);
    CUDA_CHECK(launch_sphere_trace(origins.device, directions.device, radius, depths.device, n));
    depths.download();
    double sum = 0.0;
    for (size_t i = 0; i < depths.count; ++i) sum += depths.host[i];
    std::printf("depths: first %g, last %g, sum %.9g\n", depths.host[0], depths.host[depths.count - 1], sum);
    return 0;
}
