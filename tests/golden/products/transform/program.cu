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

__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }
__device__ inline Quatf operator*(float s, Quatf a) { return a * s; }

__device__ inline Quatf operator+(Quatf a, Quatf b) {
    return Quatf{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Compute the speed of a skinned vertex for each vertex. Uses the skinning by blended quaternions.
// Precondition: elements of bone_ids lie in [0, 12).
__global__ void compute_vertex_speed(const float3* __restrict__ rest_positions,
                                     const Quatf* __restrict__ bone_rotations,
                                     const float3* __restrict__ bone_offsets,
                                     const int* __restrict__ bone_ids, const float* __restrict__ bone_weights,
                                     const float3* __restrict__ previous_positions, float dt,
                                     float* __restrict__ speeds, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 rest_position = rest_positions[i];
    Quatf turn = {0.0f, 0.0f, 0.0f, 0.0f};
    float3 offset = make_float3(0.0f, 0.0f, 0.0f);
    float weight_sum = 0.0f;
    const size_t start = size_t(i) * 2;
    for (int slot = 0; slot < 2; ++slot) {
        const int bone = bone_ids[start + slot];
        const float weight = bone_weights[start + slot];
        turn = turn + weight * bone_rotations[bone];
        offset = offset + weight * bone_offsets[bone];
        weight_sum += weight;
    }
    const float3 rotated = rotate(normalize(turn), rest_position);
    const float3 posed_position = rotated + offset / weight_sum;
    const float3 previous_position = previous_positions[i];
    speeds[i] = length((posed_position - previous_position) / dt);
}

cudaError_t launch_compute_vertex_speed(const float3* rest_positions, const Quatf* bone_rotations,
                                        const float3* bone_offsets, const int* bone_ids,
                                        const float* bone_weights, const float3* previous_positions, float dt,
                                        float* speeds, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_vertex_speed<<<grid, block, 0, stream>>>(rest_positions, bone_rotations, bone_offsets, bone_ids,
                                                     bone_weights, previous_positions, dt, speeds, n);
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
    const int n = 1000, bones = 12, influences = 2;
    Array<float3, float> rest_positions(n), bone_offsets(bones), previous_positions(n);
    Array<Quatf, float> bone_rotations(bones);
    Array<int> bone_ids(n * influences);
    Array<float> bone_weights(n * influences), speeds(n);
    const float dt = 0.027696442f;
    fill_uniform(rest_positions, 0x2370168f, -1.0, 1.0);
    fill_uniform(bone_rotations, 0x9c9df0a2, 0.1, 1.0);
    fill_uniform(bone_offsets, 0x8a2e10de, -1.0, 1.0);
    for (size_t i = 0; i < bone_ids.count; ++i) bone_ids.host[i] = pcg(0x86a00a5c + i) % bones;
    bone_ids.upload();
    fill_uniform(bone_weights, 0x14cd5bc2, 0.05, 1.0);
    fill_uniform(previous_positions, 0xa44fd9fd, -2.0, 2.0);
    CUDA_CHECK(launch_compute_vertex_speed(rest_positions.device, bone_rotations.device, bone_offsets.device,
                                           bone_ids.device, bone_weights.device, previous_positions.device,
                                           dt, speeds.device, n));
    speeds.download();
    double sum = 0.0;
    for (size_t i = 0; i < speeds.count; ++i) sum += speeds.host[i];
    std::printf("speeds: first %g, last %g, sum %.9g\n", speeds.host[0], speeds.host[speeds.count - 1], sum);
    return 0;
}
