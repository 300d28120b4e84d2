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

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    const float s = sinf(half_angle);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, cosf(half_angle)};
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// x rotated by the inverse of the unit quaternion q.
__device__ inline float3 rotate_inverse(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d - (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d - (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d - (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 divide_components(float3 a, float3 b) {
    return make_float3(a.x / b.x, a.y / b.y, a.z / b.z);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Apply a contact impulse to the angular velocity.
__global__ void apply_contact_impulse(const float3* __restrict__ rotation_vectors,
                                      const float3* __restrict__ local_spins, const float3* __restrict__ arms,
                                      const float3* __restrict__ contact_normals,
                                      const float* __restrict__ normal_impulses,
                                      const float3* __restrict__ inertias,
                                      float3* __restrict__ new_angular_velocities, int n) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n) return;

    const float3 rotation_vector = rotation_vectors[b];
    const float angle = fmaxf(length(rotation_vector), 1e-6f);
    const Quatf orientation = quat_from_axis_angle(rotation_vector / angle, angle);
    const float3 angular_velocity = rotate(orientation, local_spins[b]);
    const float3 arm = arms[b];
    const float3 contact_normal = normalize(contact_normals[b]);
    const float normal_impulse = normal_impulses[b];
    const float3 kick = rotate_inverse(orientation, normal_impulse * cross(arm, contact_normal));
    new_angular_velocities[b] = angular_velocity + rotate(orientation, divide_components(kick, inertias[b]));
}

cudaError_t launch_apply_contact_impulse(const float3* rotation_vectors, const float3* local_spins,
                                         const float3* arms, const float3* contact_normals,
                                         const float* normal_impulses, const float3* inertias,
                                         float3* new_angular_velocities, int n,
                                         cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    apply_contact_impulse<<<grid, block, 0, stream>>>(rotation_vectors, local_spins, arms, contact_normals,
                                                      normal_impulses, inertias, new_angular_velocities, n);
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
    Array<float3, float> rotation_vectors(n), local_spins(n), arms(n), contact_normals(n), inertias(n),
        new_angular_velocities(n);
    Array<float> normal_impulses(n);
    fill_uniform(rotation_vectors, 0x2370168f, -1.5, 1.5);
    fill_uniform(local_spins, 0x9c9df0a2, -3.0, 3.0);
    fill_uniform(arms, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(contact_normals, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(normal_impulses, 0x14cd5bc2, 0.0, 3.0);
    fill_uniform(inertias, 0xa44fd9fd, 0.3, 1.5);
    CUDA_CHECK(launch_apply_contact_impulse(rotation_vectors.device, local_spins.device, arms.device,
                                            contact_normals.device, normal_impulses.device, inertias.device,
                                            new_angular_velocities.device, n));
    new_angular_velocities.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_angular_velocities.count; ++i) sum += new_angular_velocities.host[i];
    std::printf("new_angular_velocities: first %g, last %g, sum %.9g\n", new_angular_velocities.host[0],
                new_angular_velocities.host[new_angular_velocities.count - 1], sum);
    return 0;
}
