#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Arrays over all elements.
struct PointState {
    const float3* points;
    const float* tool_distances;
    float* scene_distances;
};

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Local point relative to the center.
__device__ float3 centered(float3 point, float3 center) { return point - center; }

// Compute the scene distance of each point as that of the union of solid and tool, with the distance from a
// torus.
__global__ void compute_union_distance(PointState state, float3 center, float radius, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 point = state.points[i];
    const float3 local_point = centered(point, center);
    const float solid_distance =
        length(make_float2(length(make_float2(local_point.x, local_point.z)) - radius, local_point.y)) -
        0.22f;
    const float tool_distance = state.tool_distances[i];
    const float scene_distance = fminf(solid_distance, tool_distance);
    state.scene_distances[i] = scene_distance;
}

cudaError_t launch_compute_union_distance(PointState state, float3 center, float radius, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_union_distance<<<grid, block, 0, stream>>>(state, center, radius, n);
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

int main() {
    const int n = 1000;
    Array<float3, float> state_points(n);
    Array<float> state_tool_distances(n), state_scene_distances(n);
    PointState state{};
    const float3 center = make_float3(-0.058001757f, -0.31526622f, 0.2927757f);
    const float radius = 0.55628383f;
    fill_uniform(state_points, 0x2370168f, -1.5, 1.5);
    fill_uniform(state_tool_distances, 0x9c9df0a2, -0.5, 2.0);
    state.points = state_points.device;
    state.tool_distances = state_tool_distances.device;
    state.scene_distances = state_scene_distances.device;
    CUDA_CHECK(launch_compute_union_distance(state, center, radius, n));
    state_scene_distances.download();
    double sum = 0.0;
    for (size_t i = 0; i < state_scene_distances.count; ++i) sum += state_scene_distances.host[i];
    std::printf("state.scene_distances: first %g, last %g, sum %.9g\n", state_scene_distances.host[0],
                state_scene_distances.host[state_scene_distances.count - 1], sum);
    return 0;
}
