#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// Radius ratio of each triangle: twice the inradius over the circumradius, one for equilateral triangles.
__global__ void radius_ratios(const float3* __restrict__ strip, float* __restrict__ quality, int n) {
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= n) return;

    // every other triangle of a strip is wound the other way
    const int odd = f & 1;
    const float3 a = strip[f];
    const float3 b = strip[f + 1 + odd];
    const float3 c = strip[f + 2 - odd];
    const float ab = length(b - a);
    const float bc = length(c - b);
    const float ca = length(a - c);
    const float double_area = length(cross(b - a, c - a));
    const float inradius = double_area / (ab + bc + ca);
    const float inv_circumradius = 2.0f * double_area / (ab * bc * ca);
    quality[f] = 2.0f * inradius * inv_circumradius;
}

cudaError_t launch_radius_ratios(const float3* strip, float* quality, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    radius_ratios<<<grid, block, 0, stream>>>(strip, quality, n);
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
    Array<float3, float> strip(n + 2);
    Array<float> quality(n);
    fill_uniform(strip, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_radius_ratios(strip.device, quality.device, n));
    quality.download();
    double sum = 0.0;
    for (size_t i = 0; i < quality.count; ++i) sum += quality.host[i];
    std::printf("quality: first %g, last %g, sum %.9g\n", quality.host[0], quality.host[quality.count - 1],
                sum);
    return 0;
}
