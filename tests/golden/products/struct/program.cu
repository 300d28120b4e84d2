#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// What is known of all elements.
struct PointState {
    const float3* points;
    const float* tool_distances;
    float* scene_distances;
    float3* solid_normals;
    float* occupancies;
};

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// Local point relative to the center.
__device__ float3 centered(float3 point, float3 center) { return point - center; }

// Distance from a link of a chain.
__device__ float link_distance_at(float3 p, float half_height, float radius, float tube_radius) {
    const float above = fmaxf(fabsf(p.y) - half_height, 0.0f);
    return length(make_float2(length(make_float2(p.x, above)) - radius, p.z)) - tube_radius;
}

// Compute the scene distance of each point as that of the solid with the tool smoothly cut away. The distance
// is computed from a torus. Also store the normal on a link of a chain from differences at four corners and
// the occupancy with a soft border.
__global__ void compute_smooth_subtraction(PointState state, float3 center, float radius, float half_height,
                                           float width, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 point = state.points[i];
    const float3 local_point = centered(point, center);
    const float solid_distance =
        length(make_float2(length(make_float2(local_point.x, local_point.z)) - radius, local_point.y)) -
        0.22f;
    const float tool_distance = state.tool_distances[i];
    const float share = fminf(fmaxf(0.0f, 0.5f - 0.5f * (tool_distance + solid_distance) / 0.34f), 1.0f);
    // 0 - x rather than -x: the negative of zero is zero, not negative zero.
    const float scene_distance =
        lerp(solid_distance, 0.0f - tool_distance, share) + 0.34f * share * (1.0f - share);
    state.scene_distances[i] = scene_distance;
    float3 slopes = make_float3(0.0f, 0.0f, 0.0f);
    slopes += link_distance_at(local_point + make_float3(0.05f, -0.05f, -0.05f), half_height, radius, 0.22f) *
              make_float3(1.0f, -1.0f, -1.0f);
    slopes += link_distance_at(local_point + make_float3(-0.05f, -0.05f, 0.05f), half_height, radius, 0.22f) *
              make_float3(-1.0f, -1.0f, 1.0f);
    slopes += link_distance_at(local_point + make_float3(-0.05f, 0.05f, -0.05f), half_height, radius, 0.22f) *
              make_float3(-1.0f, 1.0f, -1.0f);
    slopes += link_distance_at(local_point + make_float3(0.05f, 0.05f, 0.05f), half_height, radius, 0.22f) *
              make_float3(1.0f, 1.0f, 1.0f);
    const float3 solid_normal = normalize(slopes);
    state.solid_normals[i] = solid_normal;
    const float occupancy = fminf(fmaxf(0.0f, 0.5f - scene_distance / width), 1.0f);
    state.occupancies[i] = occupancy;
}

cudaError_t launch_compute_smooth_subtraction(PointState state, float3 center, float radius,
                                              float half_height, float width, int n,
                                              cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_smooth_subtraction<<<grid, block, 0, stream>>>(state, center, radius, half_height, width, n);
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
    Array<float3, float> state_points(n), state_solid_normals(n);
    Array<float> state_tool_distances(n), state_scene_distances(n), state_occupancies(n);
    PointState state{};
    const float3 center = make_float3(0.24738221f, -0.21843882f, 0.3385419f);
    const float radius = 0.6521827f, half_height = 0.5539549f, width = 0.20034212f;
    fill_uniform(state_points, 0x2370168f, -1.5, 1.5);
    fill_uniform(state_tool_distances, 0x9c9df0a2, -0.5, 2.0);
    state.points = state_points.device;
    state.tool_distances = state_tool_distances.device;
    state.scene_distances = state_scene_distances.device;
    state.solid_normals = state_solid_normals.device;
    state.occupancies = state_occupancies.device;
    CUDA_CHECK(launch_compute_smooth_subtraction(state, center, radius, half_height, width, n));
    print_output("state.scene_distances", state_scene_distances);
    print_output("state.solid_normals", state_solid_normals);
    print_output("state.occupancies", state_occupancies);
    return 0;
}
