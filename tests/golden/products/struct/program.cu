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

// State of one joint.
struct Joint {
    float hinge_rate;
    float goal_angle;
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

// PD servo torque with saturation.
// Precondition: elements of parent_bodies and child_bodies are indices of body_poses.
__global__ void compute_servo_torque(const int* __restrict__ parent_bodies,
                                     const Transformf* __restrict__ body_poses,
                                     const int* __restrict__ child_bodies, const float3* __restrict__ axes,
                                     const Joint* __restrict__ joints, float stiffness, float damping,
                                     float max_torque, float* __restrict__ torques, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;

    const Transformf raw_pose = body_poses[parent_bodies[j]];
    const Transformf parent_pose = {raw_pose.p, normalize(raw_pose.q)};
    const Transformf other_raw_pose = body_poses[child_bodies[j]];
    const Transformf child_pose = {other_raw_pose.p, normalize(other_raw_pose.q)};
    const Transformf relative_pose = inverse(parent_pose) * child_pose;
    const float3 axis = normalize(axes[j]);
    const Quatf relative_turn = relative_pose.q;
    const float along = dot(make_float3(relative_turn.x, relative_turn.y, relative_turn.z), axis);
    const float hinge_angle = 2.0f * atan2f(along * sign(relative_turn.w), fabsf(relative_turn.w));
    const Joint joint = joints[j];
    torques[j] =
        fminf(fmaxf(-max_torque, stiffness * (joint.goal_angle - hinge_angle) - damping * joint.hinge_rate),
              max_torque);
}

cudaError_t launch_compute_servo_torque(const int* parent_bodies, const Transformf* body_poses,
                                        const int* child_bodies, const float3* axes, const Joint* joints,
                                        float stiffness, float damping, float max_torque, float* torques,
                                        int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_servo_torque<<<grid, block, 0, stream>>>(parent_bodies, body_poses, child_bodies, axes, joints,
                                                     stiffness, damping, max_torque, torques, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
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
    for (size_t i = 0; i < x.count; ++i) x.host[i] = random_uniform(seed + i, low, high);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, body_count = 502;
    Array<int> parent_bodies(n), child_bodies(n);
    Array<Transformf, float> body_poses(body_count);
    Array<float3, float> axes(n);
    Array<Joint> joints(n);
    Array<float> torques(n);
    const float stiffness = 3.332297f, damping = 0.5034923f, max_torque = 2.0158195f;
    fill_integers(parent_bodies, 0x2370168f, body_count);
    fill_uniform(body_poses, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(child_bodies, 0x8a2e10de, body_count);
    fill_uniform(axes, 0x86a00a5c, -1.0, 1.0);
    for (size_t i = 0; i < joints.count; ++i) {
        Joint& element = joints.host[i];
        const unsigned counter = 0x14cd5bc2 + 2 * i;
        element.hinge_rate = random_uniform(counter, -2.0, 2.0);
        element.goal_angle = random_uniform(counter + 1, -1.5, 1.5);
    }
    joints.upload();
    CUDA_CHECK(launch_compute_servo_torque(parent_bodies.device, body_poses.device, child_bodies.device,
                                           axes.device, joints.device, stiffness, damping, max_torque,
                                           torques.device, n));
    torques.download();
    double sum = 0.0;
    for (size_t i = 0; i < torques.count; ++i) sum += torques.host[i];
    std::printf("torques: first %g, last %g, sum %.9g\n", torques.host[0], torques.host[torques.count - 1],
                sum);
    return 0;
}
