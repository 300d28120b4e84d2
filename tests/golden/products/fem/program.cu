#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ inline float4& operator+=(float4& a, float4 b) { return a = a + b; }

__device__ inline float4 operator*(float4 a, float s) {
    return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}

__device__ inline float4& operator*=(float4& a, float b) { return a = a * b; }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float4 operator*(float s, float4 a) { return a * s; }

// Point k of the two-point Gauss rule on [-1, 1].
__device__ float gauss_point(int k) { return k == 0 ? -0.57735027f : 0.57735027f; }

// Lumped mass of bilinear quadrilaterals by row sums by 2 x 2 Gauss quadrature; nodes are offset from a
// regular grid.
__global__ void q1_row_sum_mass(const float2* __restrict__ offsets, float spacing,
                                const float* __restrict__ density, float* masses, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const size_t row_start = size_t(i) * (cols + 1);
    const float2 x0 = spacing * offsets[row_start + j];
    const float2 x1 = spacing * (offsets[row_start + j + 1] + make_float2(1.0f, 0.0f));
    const size_t row_after = size_t(i + 1) * (cols + 1);
    const float2 x2 = spacing * (offsets[row_after + j + 1] + make_float2(1.0f, 1.0f));
    const float2 x3 = spacing * (offsets[row_after + j] + make_float2(0.0f, 1.0f));
    float4 element = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) {
            const float xi = gauss_point(p);
            const float eta = gauss_point(q);
            const float4 d_xi = 0.25f * make_float4(eta - 1.0f, 1.0f - eta, 1.0f + eta, -1.0f - eta);
            const float4 d_eta = 0.25f * make_float4(xi - 1.0f, -1.0f - xi, 1.0f + xi, 1.0f - xi);
            const float2 t_xi = d_xi.x * x0 + d_xi.y * x1 + d_xi.z * x2 + d_xi.w * x3;
            const float2 t_eta = d_eta.x * x0 + d_eta.y * x1 + d_eta.z * x2 + d_eta.w * x3;
            const float det = t_xi.x * t_eta.y - t_xi.y * t_eta.x;
            const float4 shape = 0.25f * make_float4((1.0f - xi) * (1.0f - eta), (1.0f + xi) * (1.0f - eta),
                                                     (1.0f + xi) * (1.0f + eta), (1.0f - xi) * (1.0f + eta));
            element += det * shape;
        }
    }
    element *= density[i * cols + j];
    atomicAdd(&masses[row_start + j], element.x);
    atomicAdd(&masses[row_start + j + 1], element.y);
    atomicAdd(&masses[row_after + j + 1], element.z);
    atomicAdd(&masses[row_after + j], element.w);
}

cudaError_t launch_q1_row_sum_mass(const float2* offsets, float spacing, const float* density, float* masses,
                                   int rows, int cols, cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    q1_row_sum_mass<<<grid, block, 0, stream>>>(offsets, spacing, density, masses, rows, cols);
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
    const int rows = 34, cols = 32;
    Array<float2, float> offsets((rows + 1) * (cols + 1));
    Array<float> density(rows * cols), masses((rows + 1) * (cols + 1));
    const float spacing = 0.75632197f;
    fill_uniform(offsets, 0x2370168f, -0.2, 0.2);
    fill_uniform(density, 0x8a2e10de, 0.5, 2.0);
    CUDA_CHECK(launch_q1_row_sum_mass(offsets.device, spacing, density.device, masses.device, rows, cols));
    masses.download();
    double sum = 0.0;
    for (size_t i = 0; i < masses.count; ++i) sum += masses.host[i];
    std::printf("masses: first %g, last %g, sum %.9g\n", masses.host[0], masses.host[masses.count - 1], sum);
    return 0;
}
