#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// Porter-Duff over of two RGBA images.
__global__ void composite_over(const float4* __restrict__ source, const float4* __restrict__ destination,
                               float opacity, float4* __restrict__ result, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const size_t index = size_t(y) * width + x;
    const float4 f = source[index];
    const float4 b = destination[index];
    const float alpha = opacity * f.w;
    const float out_alpha = alpha + b.w * (1.0f - alpha);
    float3 color = make_float3(0.0f, 0.0f, 0.0f);
    if (out_alpha > 0.0f) {
        const float3 front_part = alpha * make_float3(f.x, f.y, f.z);
        const float3 back_part = b.w * (1.0f - alpha) * make_float3(b.x, b.y, b.z);
        color = (front_part + back_part) / out_alpha;
    }
    result[index] = make_float4(color.x, color.y, color.z, out_alpha);
}

cudaError_t launch_composite_over(const float4* source, const float4* destination, float opacity,
                                  float4* result, int height, int width, cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    composite_over<<<grid, block, 0, stream>>>(source, destination, opacity, result, height, width);
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

void fill_uniform(Array<float4, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int height = 18, width = 80;
    Array<float4, float> source(height * width), destination(height * width), result(height * width);
    const float opacity = 0.32826528f;
    fill_uniform(source, 0x2370168f, 0.0, 1.0);
    fill_uniform(destination, 0x9c9df0a2, 0.0, 1.0);
    CUDA_CHECK(
        launch_composite_over(source.device, destination.device, opacity, result.device, height, width));
    result.download();
    double sum = 0.0;
    for (size_t i = 0; i < result.count; ++i) sum += result.host[i];
    std::printf("result: first %g, last %g, sum %.9g\n", result.host[0], result.host[result.count - 1], sum);
    return 0;
}
