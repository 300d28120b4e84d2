#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float BENDING_STIFFNESS = 0.1f;

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Bending force on the second triangle's corner.
// Precondition: elements of hinge_vertices are indices of positions.
__global__ void eval_wing_forces(const float3* __restrict__ positions, const int* __restrict__ hinge_vertices,
                                 const float* __restrict__ rest_angles, float3* __restrict__ wing_forces,
                                 int n) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= n) return;

    const size_t start = size_t(h) * 4;
    const float3 x0 = positions[hinge_vertices[start]];
    const float3 x1 = positions[hinge_vertices[start + 1]];
    const float3 edge = x1 - x0;
    const float3 x2 = positions[hinge_vertices[start + 2]];
    const float3 first_normal = cross(x1 - x0, x2 - x0);
    const float3 x3 = positions[hinge_vertices[start + 3]];
    const float3 second_normal = cross(x3 - x0, x1 - x0);
    const float sine = dot(cross(first_normal, second_normal), normalize(edge));
    const float bend_angle = atan2f(sine, dot(first_normal, second_normal));
    const float bending_moment = BENDING_STIFFNESS * (bend_angle - rest_angles[h]);
    const float edge_length = length(edge);
    wing_forces[h] =
        bending_moment * edge_length / fmaxf(dot(second_normal, second_normal), 0.01f) * second_normal;
}

cudaError_t launch_eval_wing_forces(const float3* positions, const int* hinge_vertices,
                                    const float* rest_angles, float3* wing_forces, int n,
                                    cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_wing_forces<<<grid, block, 0, stream>>>(positions, hinge_vertices, rest_angles, wing_forces, n);
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
    const int n = 1000, node_count = 1001;
    Array<float3, float> positions(node_count), wing_forces(n);
    Array<int> hinge_vertices(n * 4);
    Array<float> rest_angles(n);
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < hinge_vertices.count; ++i)
        hinge_vertices.host[i] = pcg(0x9c9df0a2 + i) % node_count;
    hinge_vertices.upload();
    fill_uniform(rest_angles, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_eval_wing_forces(positions.device, hinge_vertices.device, rest_angles.device,
                                       wing_forces.device, n));
    wing_forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < wing_forces.count; ++i) sum += wing_forces.host[i];
    std::printf("wing_forces: first %g, last %g, sum %.9g\n", wing_forces.host[0],
                wing_forces.host[wing_forces.count - 1], sum);
    return 0;
}
