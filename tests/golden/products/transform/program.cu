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

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

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

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

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
__device__ inline float length_squared(float3 a) { return dot(a, a); }

// Return the signed distance of a point to a torus about the origin, negative inside.
__device__ float torus_distance(float3 p, float2 size) {
    const float ring = length(make_float2(p.x, p.z)) - size.x;
    return length(make_float2(ring, p.y)) - size.y;
}

// Compute the penalty forces of a posed torus on particles that penetrate it, with damping along the normal
// and regularized Coulomb friction. size is (large radius, small radius) about y.
__global__ void collide_particles_with_torus(const float3* __restrict__ positions,
                                             const float3* __restrict__ velocities, Transformf pose,
                                             float2 size, float stiffness, float damping, float friction,
                                             float3* __restrict__ forces, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 p = transform_point(inverse(pose), positions[i]);
    // 0 - x is +0 for x = 0, where -x would be -0.
    const float depth = fmaxf(0.0f - torus_distance(p, size), 0.0f);
    const float h = 0.05f;
    const float3 x = make_float3(h, 0.0f, 0.0f);
    const float3 y = make_float3(0.0f, h, 0.0f);
    const float3 z = make_float3(0.0f, 0.0f, h);
    const float3 gradient = make_float3(torus_distance(p + x, size) - torus_distance(p - x, size),
                                        torus_distance(p + y, size) - torus_distance(p - y, size),
                                        torus_distance(p + z, size) - torus_distance(p - z, size));
    const float3 normal = transform_vector(pose, normalize(gradient));
    const float3 velocity = velocities[i];
    const float approach = fminf(dot(velocity, normal), 0.0f);
    // damping grows with the depth, so that the force has no jump
    const float pressure = stiffness * depth - damping * depth * approach;
    const float3 slip = velocity - dot(velocity, normal) * normal;
    const float slip_speed = sqrtf(length_squared(slip) + 0.0001f);
    forces[i] = pressure * normal - friction * pressure / slip_speed * slip;
}

cudaError_t launch_collide_particles_with_torus(const float3* positions, const float3* velocities,
                                                Transformf pose, float2 size, float stiffness, float damping,
                                                float friction, float3* forces, int n,
                                                cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    collide_particles_with_torus<<<grid, block, 0, stream>>>(positions, velocities, pose, size, stiffness,
                                                             damping, friction, forces, n);
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
    Array<float3, float> positions(n), velocities(n), forces(n);
    const Transformf pose = {0.4540379f,  0.45667517f, 0.53239954f, 0.48341474f,
                             0.49549705f, 0.49809158f, 0.50799316f};
    const float2 size = make_float2(0.57099915f, 0.4423669f);
    const float stiffness = 96.88515f, damping = 17.138416f, friction = 0.40174615f;
    fill_uniform(positions, 0x2370168f, -1.2, 1.2);
    fill_uniform(velocities, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_collide_particles_with_torus(positions.device, velocities.device, pose, size, stiffness,
                                                   damping, friction, forces.device, n));
    forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < forces.count; ++i) sum += forces.host[i];
    std::printf("forces: first %g, last %g, sum %.9g\n", forces.host[0], forces.host[forces.count - 1], sum);
    return 0;
}
