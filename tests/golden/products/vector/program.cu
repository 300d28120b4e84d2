#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Signed distance of a torus.
__device__ float torus_distance(float3 local_point, float radius, float tube_radius) {
    return length(make_float2(length(make_float2(local_point.x, local_point.z)) - radius, local_point.y)) -
           tube_radius;
}

// Compute the VolSDF density from a signed distance.
__global__ void compute_volsdf_density(const float3* __restrict__ points, float3 center, float radius,
                                       float tube_radius, float sharpness, float* __restrict__ occupancies,
                                       int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 local_point = points[p] - center;
    const float solid_distance = torus_distance(local_point, radius, tube_radius);
    const float tool_distance =
        length(make_float2(length(make_float2(local_point.x, local_point.z)) - radius, local_point.y)) -
        tube_radius;
    const float scene_distance = fmaxf(solid_distance, tool_distance);
    const float tail = 0.5f * expf(-(fabsf(scene_distance) / sharpness));
    occupancies[p] = scene_distance > 0.0f ? tail : 1.0f - tail;
}

cudaError_t launch_compute_volsdf_density(const float3* points, float3 center, float radius,
                                          float tube_radius, float sharpness, float* occupancies, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_volsdf_density<<<grid, block, 0, stream>>>(points, center, radius, tube_radius, sharpness,
                                                       occupancies, n);
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
    Array<float> occupancies(n);
    const float3 center = make_float3(-0.19494243f, -0.051566172f, -0.15601568f);
    const float radius = 0.4201895f, tube_radius = 0.18549956f, sharpness = 0.22502705f;
    fill_uniform(points, 0x2370168f, -1.5, 1.5);
    CUDA_CHECK(launch_compute_volsdf_density(points.device, center, radius, tube_radius, sharpness,
                                             occupancies.device, n));
    occupancies.download();
    double sum = 0.0;
    for (size_t i = 0; i < occupancies.count; ++i) sum += occupancies.host[i];
    std::printf("occupancies: first %g, last %g, sum %.9g\n", occupancies.host[0],
                occupancies.host[occupancies.count - 1], sum);
    return 0;
}
