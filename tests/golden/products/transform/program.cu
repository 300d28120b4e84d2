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

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3& operator-=(float3& a, float3 b) { return a = a - b; }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3& operator*=(float3& a, float b) { return a = a * b; }
__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

// The angular half.
__device__ inline float3 spatial_top(const Vec6f& a) { return make_float3(a.v[0], a.v[1], a.v[2]); }

// The linear half.
__device__ inline float3 spatial_bottom(const Vec6f& a) { return make_float3(a.v[3], a.v[4], a.v[5]); }

__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// x rotated by the inverse of the unit quaternion q.
__device__ inline float3 rotate_inverse(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d - (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d - (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d - (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 multiply_components(float3 a, float3 b) {
    return make_float3(a.x * b.x, a.y * b.y, a.z * b.z);
}

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float3 divide_components(float3 a, float3 b) {
    return make_float3(a.x / b.x, a.y / b.y, a.z / b.z);
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline Quatf quat_from_parts(float3 v, float w) { return Quatf{v.x, v.y, v.z, w}; }

__device__ inline Quatf operator*(Quatf a, Quatf b) {
    return Quatf{a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
                 a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

__device__ inline Quatf operator*(float s, Quatf a) { return a * s; }

__device__ inline Quatf operator+(Quatf a, Quatf b) {
    return Quatf{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

__device__ inline Vec6f spatial_vector(float3 top, float3 bottom) {
    return Vec6f{{top.x, top.y, top.z, bottom.x, bottom.y, bottom.z}};
}

// Symplectic Euler step of rigid bodies with gyroscopic torque; wrenches and velocities are (angular, linear)
// in the world frame, inertias are principal moments.
__global__ void integrate_bodies(const Vec6f* __restrict__ wrenches, const float* __restrict__ inv_masses,
                                 const float3* __restrict__ inertias, float3 gravity, float damping, float dt,
                                 Transformf* __restrict__ body_q, Vec6f* __restrict__ body_qd, int n) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n) return;

    float3 x = body_q[b].p;
    Quatf q = normalize(body_q[b].q);
    float3 w = spatial_top(body_qd[b]);
    float3 v = spatial_bottom(body_qd[b]);

    v += dt * (gravity + inv_masses[b] * spatial_bottom(wrenches[b]));
    const float3 w_body = rotate_inverse(q, w);
    float3 torque = rotate_inverse(q, spatial_top(wrenches[b]));
    torque -= cross(w_body, multiply_components(inertias[b], w_body));
    w = rotate(q, w_body + dt * divide_components(torque, inertias[b]));
    w *= 1.0f - damping * dt;
    x += dt * v;
    q = normalize(q + 0.5f * dt * (quat_from_parts(w, 0.0f) * q));
    body_q[b] = Transformf{x, q};
    body_qd[b] = spatial_vector(w, v);
}

cudaError_t launch_integrate_bodies(const Vec6f* wrenches, const float* inv_masses, const float3* inertias,
                                    float3 gravity, float damping, float dt, Transformf* body_q,
                                    Vec6f* body_qd, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    integrate_bodies<<<grid, block, 0, stream>>>(wrenches, inv_masses, inertias, gravity, damping, dt, body_q,
                                                 body_qd, n);
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
    Array<Vec6f, float> wrenches(n), body_qd(n);
    Array<float> inv_masses(n);
    Array<float3, float> inertias(n);
    Array<Transformf, float> body_q(n);
    const float3 gravity = make_float3(-9.463727f, -9.724207f, -9.108564f);
    const float damping = 0.12814191f, dt = 0.042369112f;
    fill_uniform(wrenches, 0x2370168f, -1.0, 1.0);
    fill_uniform(inv_masses, 0x9c9df0a2, 0.5, 2.0);
    fill_uniform(inertias, 0x8a2e10de, 0.5, 1.5);
    fill_uniform(body_q, 0xf07bd7fc, 0.1, 1.0);
    fill_uniform(body_qd, 0xee1ddde9, -1.0, 1.0);
    CUDA_CHECK(launch_integrate_bodies(wrenches.device, inv_masses.device, inertias.device, gravity, damping,
                                       dt, body_q.device, body_qd.device, n));
    print_output("body_q", body_q);
    print_output("body_qd", body_qd);
    return 0;
}
