#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int n = 1000;
    Array<float3> axes(n), arms(n), joints(n), tips(n);
    QuaternionTurnParams params{};
    params.tuning.angle = random_uniform(3, 0, -3.0, 3.0);
    params.tuning.smoothing = random_uniform(3, 1, 0.05, 0.6);
    for (size_t i = 0; i < 3 * axes.count; ++i) {
        reinterpret_cast<float*>(axes.host)[i] = random_uniform(0, i, 0.1, 1.0);
        reinterpret_cast<float*>(arms.host)[i] = random_uniform(1, i, -1.0, 1.0);
        reinterpret_cast<float*>(joints.host)[i] = random_uniform(2, i, -1.0, 1.0);
        reinterpret_cast<float*>(tips.host)[i] = random_uniform(5, i, -1.0, 1.0);
    }
    for (auto* array : {&axes, &arms, &joints, &tips}) array->upload();
    CUDA_CHECK(launch_quaternion_turn(axes.device, arms.device, joints.device, params, n, tips.device));
    tips.download();
    print_output("tips", reinterpret_cast<float*>(tips.host), 3 * tips.count);
    return EXIT_SUCCESS;
}
