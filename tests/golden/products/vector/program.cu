#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 abs_components(float3 a) { return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z)); }

__device__ inline float3 max_components(float3 a, float3 b) {
    return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Repeat in a grid.
__device__ float3 repeated(float3 point, float spacing) {
    return point - spacing * make_float3(rintf(point.x / spacing), rintf(point.y / spacing),
                                         rintf(point.z / spacing));
}

// Compute the signed distance of a cuboid.
__global__ void eval_solid_distances(const float3* __restrict__ points, float spacing, float3 half_size,
                                     float* __restrict__ solid_distances, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 local_point = repeated(points[p], spacing);
    const float3 excess = abs_components(local_point) - half_size;
    solid_distances[p] = length(max_components(excess, make_float3(0.0f, 0.0f, 0.0f))) +
                         fminf(fmaxf(fmaxf(excess.x, excess.y), excess.z), 0.0f);
}

cudaError_t launch_eval_solid_distances(const float3* points, float spacing, float3 half_size,
                                        float* solid_distances, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_solid_distances<<<grid, block, 0, stream>>>(points, spacing, half_size, solid_distances, n);
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
    Array<float3, float> points(n);
    Array<float> solid_distances(n);
    const float spacing = 1.884483f;
    const float3 half_size = make_float3(0.3201895f, 0.33337593f, 0.7119977f);
    fill_uniform(points, 0x2370168f, -1.5, 1.5);
    CUDA_CHECK(launch_eval_solid_distances(points.device, spacing, half_size, solid_distances.device, n));
    solid_distances.download();
    double sum = 0.0;
    for (size_t i = 0; i < solid_distances.count; ++i) sum += solid_distances.host[i];
    std::printf("solid_distances: first %g, last %g, sum %.9g\n", solid_distances.host[0],
                solid_distances.host[solid_distances.count - 1], sum);
    return 0;
}
