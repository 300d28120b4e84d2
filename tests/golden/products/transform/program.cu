#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatf {
    float x, y, z, w;
};

struct Transformf {
    float3 p;
    Quatf q;
};

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

// The inverse of a unit quaternion.
__device__ inline Quatf conjugate(Quatf q) { return Quatf{-q.x, -q.y, -q.z, q.w}; }

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }

__device__ inline Transformf inverse(const Transformf& a) {
    const Quatf inverse = conjugate(a.q);
    return Transformf{-rotate(inverse, a.p), inverse};
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 transform_point(const Transformf& a, float3 x) { return a.p + rotate(a.q, x); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 transform_vector(const Transformf& a, float3 x) { return rotate(a.q, x); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Force that keeps each point away from a capsule of a pose. Where present_flags is zero, the force is
// halved.
__global__ void local_shapes(const float3* __restrict__ shape_pose_places,
                             const float3* __restrict__ shape_pose_turn_parts,
                             const float3* __restrict__ points, const float* __restrict__ sizes,
                             const int* __restrict__ present_flags, float3* __restrict__ forces, int rows,
                             int cols) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= rows * cols) return;

    const float3 point = points[index];
    const float3 shape_pose_turn_part = shape_pose_turn_parts[index];
    const Quatf shape_pose_turn =
        normalize(Quatf{shape_pose_turn_part.x, shape_pose_turn_part.y, shape_pose_turn_part.z, 0.9f});
    const Transformf shape_pose = {shape_pose_places[index], shape_pose_turn};
    const float3 local = transform_point(inverse(shape_pose), point);
    const float near = fminf(fmaxf(-0.5f, local.y), 0.5f);
    const float3 force =
        fmaxf(1.1f - (length(make_float3(local.x, local.y - near, local.z)) - sizes[index]), 0.0f) *
        transform_vector(shape_pose, normalize(local));
    const float3 gated_force = present_flags[index] > 0 ? force : 0.5f * force;
    forces[index] = gated_force;
}

cudaError_t launch_local_shapes(const float3* shape_pose_places, const float3* shape_pose_turn_parts,
                                const float3* points, const float* sizes, const int* present_flags,
                                float3* forces, int rows, int cols, cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(rows) * cols;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    local_shapes<<<grid, block, 0, stream>>>(shape_pose_places, shape_pose_turn_parts, points, sizes,
                                             present_flags, forces, rows, cols);
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
    const int rows = 12, cols = 84;
    Array<float3, float> shape_pose_places(rows * cols), shape_pose_turn_parts(rows * cols),
        points(rows * cols), forces(rows * cols);
    Array<float> sizes(rows * cols);
    Array<int> present_flags(rows * cols);
    fill_uniform(shape_pose_places, 0x2370168f, -1.0, 1.0);
    fill_uniform(shape_pose_turn_parts, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(points, 0x8a2e10de, -2.0, 2.0);
    fill_uniform(sizes, 0x86a00a5c, 0.2, 0.9);
    for (size_t i = 0; i < present_flags.count; ++i) present_flags.host[i] = pcg(0x14cd5bc2 + i) % 2;
    present_flags.upload();
    CUDA_CHECK(launch_local_shapes(shape_pose_places.device, shape_pose_turn_parts.device, points.device,
                                   sizes.device, present_flags.device, forces.device, rows, cols));
    forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < forces.count; ++i) sum += forces.host[i];
    std::printf("forces: first %g, last %g, sum %.9g\n", forces.host[0], forces.host[forces.count - 1], sum);
    return 0;
}
