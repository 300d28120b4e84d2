#include <cuda_runtime.h>
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

// Tuning of quaternion turn.
struct QuaternionTurnTuning {
    float angle;
    float smoothing;
};

// Settings for quaternion turn.
struct QuaternionTurnParams {
    QuaternionTurnTuning tuning;
};

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    const float s = sinf(half_angle);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, cosf(half_angle)};
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

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// End of each arm, turned by a quaternion. The stored value moves towards the tip by the factor
// params.tuning.smoothing.
__global__ void quaternion_turn(const float3* __restrict__ axes, const float3* __restrict__ arms,
                                const float3* __restrict__ joints, QuaternionTurnParams params, int n,
                                float3* __restrict__ tips) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 old_tip = tips[i];
    const float3 arm = arms[i];
    const float3 joint = joints[i];
    const float3 axis = axes[i];
    const float3 unit_axis = normalize(axis);
    const Quatf q = quat_from_axis_angle(unit_axis, params.tuning.angle);
    tips[i] = old_tip + params.tuning.smoothing * (rotate(conjugate(q), arm) + joint - old_tip);
}

cudaError_t launch_quaternion_turn(const float3* axes, const float3* arms, const float3* joints,
                                   QuaternionTurnParams params, int n, float3* tips,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    quaternion_turn<<<grid, block, 0, stream>>>(axes, arms, joints, params, n, tips);
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
    Array<float3, float> axes(n), arms(n), joints(n), tips(n);
    QuaternionTurnParams params{};
    params.tuning.angle = -0.43501318f;
    params.tuning.smoothing = 0.10825447f;
    fill_uniform(axes, 0x2370168f, 0.1, 1.0);
    fill_uniform(arms, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(joints, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(tips, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(launch_quaternion_turn(axes.device, arms.device, joints.device, params, n, tips.device));
    tips.download();
    double sum = 0.0;
    for (size_t i = 0; i < tips.count; ++i) sum += tips.host[i];
    std::printf("tips: first %g, last %g, sum %.9g\n", tips.host[0], tips.host[tips.count - 1], sum);
    return 0;
}
