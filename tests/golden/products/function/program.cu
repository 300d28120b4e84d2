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

// Convert an encoded sRGB component to linear light.
__device__ float decode_srgb(float encoded) {
    const float power = powf((encoded + 0.055f) / 1.055f, 2.4f);
    return encoded <= 0.04045f ? encoded / 12.92f : power;
}

// Convert linear sRGB to CIE XYZ under the white point D65.
__device__ float3 linear_to_xyz(float3 rgb) {
    const float x = 0.4124564f * rgb.x + 0.3575761f * rgb.y + 0.1804375f * rgb.z;
    const float y = 0.2126729f * rgb.x + 0.7151522f * rgb.y + 0.072175f * rgb.z;
    const float z = 0.0193339f * rgb.x + 0.119192f * rgb.y + 0.9503041f * rgb.z;
    return make_float3(x, y, z);
}

// Evaluate the curve of CIE Lab, a cube root with a linear segment near black.
__device__ float lab_curve(float t) { return t > 0.008856452f ? cbrtf(t) : 7.787037f * t + 0.13793103f; }

// Convert CIE XYZ to CIE Lab relative to D65.
__device__ float3 xyz_to_lab(float3 xyz) {
    const float fx = lab_curve(xyz.x / 0.95047f);
    const float fy = lab_curve(xyz.y);
    const float fz = lab_curve(xyz.z / 1.08883f);
    return make_float3(116.0f * fy - 16.0f, 500.0f * (fx - fy), 200.0f * (fy - fz));
}

// Convert an encoded sRGB color to CIE Lab.
__device__ float3 lab_of_srgb(float r, float g, float b) {
    const float3 linear = make_float3(decode_srgb(r), decode_srgb(g), decode_srgb(b));
    return xyz_to_lab(linear_to_xyz(linear));
}

// Compute the perceptual difference of two sRGB images, the distance in CIE Lab (CIE76) with a weight for
// lightness.
__global__ void compare_colors(const float3* __restrict__ first, const float3* __restrict__ second,
                               float lightness_weight, float* __restrict__ differences, int height,
                               int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const size_t index = size_t(y) * width + x;
    const float3 p = first[index];
    const float3 q = second[index];
    const float3 d = lab_of_srgb(p.x, p.y, p.z) - lab_of_srgb(q.x, q.y, q.z);
    differences[index] = sqrtf(lightness_weight * d.x * d.x + d.y * d.y + d.z * d.z);
}

cudaError_t launch_compare_colors(const float3* first, const float3* second, float lightness_weight,
                                  float* differences, int height, int width, cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    compare_colors<<<grid, block, 0, stream>>>(first, second, lightness_weight, differences, height, width);
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
    const int height = 18, width = 96;
    Array<float3, float> first(height * width), second(height * width);
    Array<float> differences(height * width);
    const float lightness_weight = 0.32826528f;
    fill_uniform(first, 0x2370168f, 0.0, 1.0);
    fill_uniform(second, 0x9c9df0a2, 0.0, 1.0);
    CUDA_CHECK(launch_compare_colors(first.device, second.device, lightness_weight, differences.device,
                                     height, width));
    differences.download();
    double sum = 0.0;
    for (size_t i = 0; i < differences.count; ++i) sum += differences.host[i];
    std::printf("differences: first %g, last %g, sum %.9g\n", differences.host[0],
                differences.host[differences.count - 1], sum);
    return 0;
}
