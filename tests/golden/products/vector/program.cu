#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float SHARPNESS = 0.12f;

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 abs_components(float3 a) { return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z)); }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 max_components(float3 a, float3 b) {
    return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Scene distance as that of the solid with the tool cut away.
__device__ float subtraction_distance(float solid_distance, float3 local_point, float radius,
                                      float tube_radius) {
    const float tool_distance =
        length(make_float2(length(make_float2(local_point.x, local_point.z)) - radius, local_point.y)) -
        tube_radius;
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    return fmaxf(solid_distance, 0.0f - tool_distance);
}

// Compute the occupancy of each point by the cumulative Laplace distribution of the distance. Take the
// distance from a cuboid and the tool distance from a torus. The scene distance is that of the solid with the
// tool cut away.
__global__ void point_occupancy(const float3* __restrict__ local_points, float3 half_size, float radius,
                                float tube_radius, float* __restrict__ occupancies, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float3 local_point = local_points[p];
    const float3 excess = abs_components(local_point) - half_size;
    const float solid_distance = length(max_components(excess, make_float3(0.0f, 0.0f, 0.0f))) +
                                 fminf(fmaxf(fmaxf(excess.x, excess.y), excess.z), 0.0f);
    const float scene_distance = subtraction_distance(solid_distance, local_point, radius, tube_radius);
    const float tail = 0.5f * expf(-(fabsf(scene_distance) / SHARPNESS));
    const float occupancy = scene_distance > 0.0f ? tail : 1.0f - tail;
    occupancies[p] = occupancy;
}

cudaError_t launch_point_occupancy(const float3* local_points, float3 half_size, float radius,
                                   float tube_radius, float* occupancies, int n,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    point_occupancy<<<grid, block, 0, stream>>>(local_points, half_size, radius, tube_radius, occupancies, n);
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
    Array<float3, float> local_points(n);
    Array<float> occupancies(n);
    const float3 half_size = make_float3(0.428161f, 0.5177711f, 0.4524902f);
    const float radius = 0.4201895f, tube_radius = 0.18549956f;
    fill_uniform(local_points, 0x2370168f, -1.2, 1.2);
    CUDA_CHECK(
        launch_point_occupancy(local_points.device, half_size, radius, tube_radius, occupancies.device, n));
    occupancies.download();
    double sum = 0.0;
    for (size_t i = 0; i < occupancies.count; ++i) sum += occupancies.host[i];
    std::printf("occupancies: first %g, last %g, sum %.9g\n", occupancies.host[0],
                occupancies.host[occupancies.count - 1], sum);
    return 0;
}
