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

__device__ inline Quatf operator*(Quatf a, Quatf b) {
    return Quatf{a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
                 a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

__device__ inline Transformf operator*(const Transformf& a, const Transformf& b) {
    return Transformf{rotate(a.q, b.p) + a.p, a.q * b.q};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// -1 for negative x, else 1 (also for zero).
__device__ inline float sign(float x) { return x < 0.0f ? -1.0f : 1.0f; }

__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    float s, c;
    sincosf(half_angle, &s, &c);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, c};
}

// Denavit-Hartenberg transform.
// Precondition: elements of joint_parent and joint_child are indices of body_poses.
__global__ void denavit_hartenberg_pose(const int* __restrict__ joint_parent,
                                        const Transformf* __restrict__ body_poses,
                                        const int* __restrict__ joint_child, const float3* __restrict__ axes,
                                        const float* __restrict__ slides, float link_length, float bend,
                                        Transformf* __restrict__ local_poses, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Transformf raw_pose = body_poses[joint_parent[i]];
    const Transformf parent_pose = {raw_pose.p, normalize(raw_pose.q)};
    const Transformf other_raw_pose = body_poses[joint_child[i]];
    const Transformf child_pose = {other_raw_pose.p, normalize(other_raw_pose.q)};
    const Transformf relative_pose = inverse(parent_pose) * child_pose;
    const float3 axis = normalize(axes[i]);
    const Quatf relative_turn = relative_pose.q;
    const float along = dot(make_float3(relative_turn.x, relative_turn.y, relative_turn.z), axis);
    const float hinge_angle = 2.0f * atan2f(along * sign(relative_turn.w), fabsf(relative_turn.w));
    const float slide = slides[i];
    const Quatf about_z = quat_from_axis_angle(make_float3(0.0f, 0.0f, 1.0f), hinge_angle);
    float sin_hinge_angle, cos_hinge_angle;
    sincosf(hinge_angle, &sin_hinge_angle, &cos_hinge_angle);
    const Transformf local_pose = {
        make_float3(link_length * cos_hinge_angle, link_length * sin_hinge_angle, slide),
        about_z * quat_from_axis_angle(make_float3(1.0f, 0.0f, 0.0f), bend)};
    local_poses[i] = local_pose;
}

cudaError_t launch_denavit_hartenberg_pose(const int* joint_parent, const Transformf* body_poses,
                                           const int* joint_child, const float3* axes, const float* slides,
                                           float link_length, float bend, Transformf* local_poses, int n,
                                           cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    denavit_hartenberg_pose<<<grid, block, 0, stream>>>(joint_parent, body_poses, joint_child, axes, slides,
                                                        link_length, bend, local_poses, n);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, body_count = 502;
    Array<int> joint_parent(n), joint_child(n);
    Array<Transformf, float> body_poses(body_count), local_poses(n);
    Array<float3, float> axes(n);
    Array<float> slides(n);
    const float link_length = 0.66645944f, bend = 0.013096154f;
    fill_integers(joint_parent, 0x2370168f, body_count);
    fill_uniform(body_poses, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(joint_child, 0x8a2e10de, body_count);
    fill_uniform(axes, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(slides, 0x14cd5bc2, -0.5, 0.5);
    CUDA_CHECK(launch_denavit_hartenberg_pose(joint_parent.device, body_poses.device, joint_child.device,
                                              axes.device, slides.device, link_length, bend,
                                              local_poses.device, n));
    local_poses.download();
    double sum = 0.0;
    for (size_t i = 0; i < local_poses.count; ++i) sum += local_poses.host[i];
    std::printf("local_poses: first %g, last %g, sum %.9g\n", local_poses.host[0],
                local_poses.host[local_poses.count - 1], sum);
    return 0;
}
