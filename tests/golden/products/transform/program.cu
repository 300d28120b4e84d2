#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Vec6f {
    float v[6];
};

struct Quatf {
    float x, y, z, w;
};

struct Transformf {
    float3 p;
    Quatf q;
};

__device__ inline Vec6f operator+(const Vec6f& a, const Vec6f& b) {
    Vec6f c;
    for (int i = 0; i < 6; ++i) c.v[i] = a.v[i] + b.v[i];
    return c;
}

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 transform_vector(const Transformf& a, float3 x) { return rotate(a.q, x); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline Vec6f spatial_vector(float3 top, float3 bottom) {
    return Vec6f{{top.x, top.y, top.z, bottom.x, bottom.y, bottom.z}};
}

// The angular half.
__device__ inline float3 spatial_top(const Vec6f& a) { return make_float3(a.v[0], a.v[1], a.v[2]); }

// The linear half.
__device__ inline float3 spatial_bottom(const Vec6f& a) { return make_float3(a.v[3], a.v[4], a.v[5]); }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// The rate of change of the motion b in a frame that moves by a.
__device__ inline Vec6f spatial_cross(const Vec6f& a, const Vec6f& b) {
    const float3 wa = spatial_top(a), va = spatial_bottom(a), wb = spatial_top(b);
    return spatial_vector(cross(wa, wb), cross(va, wb) + cross(wa, spatial_bottom(b)));
}

// Link twist as the sum of the twists of parent and joint.
__device__ Vec6f summed_twist(Vec6f parent_twist, Vec6f own_twist) { return parent_twist + own_twist; }

// Compute the bias acceleration of each joint as the cross product of two twists.
// Precondition: elements of parent_bodies lie in [0, body_count).
__global__ void bias_acceleration(const Vec6f* __restrict__ parent_twists,
                                  const int* __restrict__ parent_bodies,
                                  const Transformf* __restrict__ body_poses, const float3* __restrict__ axes,
                                  const float* __restrict__ hinge_rates,
                                  Vec6f* __restrict__ bias_accelerations, int body_count) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= body_count) return;

    const Vec6f parent_twist = parent_twists[j];
    const Transformf raw_pose = body_poses[parent_bodies[j]];
    const Transformf parent_pose = {raw_pose.p, normalize(raw_pose.q)};
    const float3 axis = normalize(axes[j]);
    const float hinge_rate = hinge_rates[j];
    const float3 spin = hinge_rate * transform_vector(parent_pose, axis);
    const Vec6f own_twist = spatial_vector(spin, cross(parent_pose.p, spin));
    const Vec6f link_twist = summed_twist(parent_twist, own_twist);
    const Vec6f bias_acceleration_ = spatial_cross(link_twist, own_twist);
    bias_accelerations[j] = bias_acceleration_;
}

cudaError_t launch_bias_acceleration(const Vec6f* parent_twists, const int* parent_bodies,
                                     const Transformf* body_poses, const float3* axes,
                                     const float* hinge_rates, Vec6f* bias_accelerations, int body_count,
                                     cudaStream_t stream = nullptr) {
    if (body_count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (body_count + block - 1) / block;
    bias_acceleration<<<grid, block, 0, stream>>>(parent_twists, parent_bodies, body_poses, axes, hinge_rates,
                                                  bias_accelerations, body_count);
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
    const int n = 1000, body_count = 1000;
    Array<Vec6f, float> parent_twists(n), bias_accelerations(n);
    Array<int> parent_bodies(n);
    Array<Transformf, float> body_poses(n);
    Array<float3, float> axes(n);
    Array<float> hinge_rates(n);
    fill_uniform(parent_twists, 0x2370168f, -2.0, 2.0);
    for (size_t i = 0; i < parent_bodies.count; ++i) parent_bodies.host[i] = pcg(0x9c9df0a2 + i) % n;
    parent_bodies.upload();
    fill_uniform(body_poses, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(axes, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(hinge_rates, 0x14cd5bc2, -2.0, 2.0);
    CUDA_CHECK(launch_bias_acceleration(parent_twists.device, parent_bodies.device, body_poses.device,
                                        axes.device, hinge_rates.device, bias_accelerations.device,
                                        body_count));
    bias_accelerations.download();
    double sum = 0.0;
    for (size_t i = 0; i < bias_accelerations.count; ++i) sum += bias_accelerations.host[i];
    std::printf("bias_accelerations: first %g, last %g, sum %.9g\n", bias_accelerations.host[0],
                bias_accelerations.host[bias_accelerations.count - 1], sum);
    return 0;
}
