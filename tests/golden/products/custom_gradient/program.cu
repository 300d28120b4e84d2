#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float EPSILON = 1e-5f;

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Vector scaled to length one; a vector shorter than EPSILON is scaled by 1 / EPSILON.
__device__ float3 unit(float3 x) { return x / fmaxf(length(x), EPSILON); }

// Adjoint of x for an adjoint of unit(x): its part across x, divided by the length.
__device__ float3 project_to_tangent(float3 x, float3 adjoint) {
    const float inv = 1.0f / fmaxf(length(x), EPSILON);
    const float3 u = inv * x;
    return inv * (adjoint - dot(u, adjoint) * u);
}

// Cosine loss between directions of any length, ignored below a margin, and its gradient by the vectors
// before they are normalised; losses are also summed by group.
// Precondition: elements of groups are indices of group_losses.
__global__ void cosine_loss(const float3* __restrict__ normals, const float3* __restrict__ true_normals,
                            const int* __restrict__ groups, float margin, float* __restrict__ losses,
                            float3* __restrict__ gradients, float* group_losses, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 u = unit(normals[i]);
    const float3 t = unit(true_normals[i]);
    const float loss = fmaxf(1.0f - dot(u, t) - margin, 0.0f);
    const float3 adjoint = (loss > 0.0f ? -1.0f : 0.0f) * t;
    losses[i] = loss;
    gradients[i] = project_to_tangent(normals[i], adjoint);
    atomicAdd(&group_losses[groups[i]], loss);
}

cudaError_t launch_cosine_loss(const float3* normals, const float3* true_normals, const int* groups,
                               float margin, float* losses, float3* gradients, float* group_losses, int n,
                               cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    cosine_loss<<<grid, block, 0, stream>>>(normals, true_normals, groups, margin, losses, gradients,
                                            group_losses, n);
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

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, num_groups = 129;
    Array<float3, float> normals(n), true_normals(n), gradients(n);
    Array<int> groups(n);
    Array<float> losses(n), group_losses(num_groups);
    const float margin = 0.15687445f;
    fill_uniform(normals, 0x2370168f, -1.0, 1.0);
    fill_uniform(true_normals, 0x9c9df0a2, -1.0, 1.0);
    for (size_t i = 0; i < groups.count; ++i) groups.host[i] = pcg(0x8a2e10de + i) % num_groups;
    groups.upload();
    CUDA_CHECK(launch_cosine_loss(normals.device, true_normals.device, groups.device, margin, losses.device,
                                  gradients.device, group_losses.device, n));
    print_output("losses", losses);
    print_output("gradients", gradients);
    print_output("group_losses", group_losses);
    return 0;
}
