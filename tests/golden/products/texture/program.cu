#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int ENTRIES = 128;
constexpr int SAMPLES = 32;

__device__ inline float4 operator*(float4 a, float s) {
    return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}

__device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// From a at t = 0 to b at t = 1.
__device__ inline float4 lerp(float4 a, float4 b, float t) { return a * (1.0f - t) + b * t; }

// Project the maximum intensity of each ray, colored by the transfer function.
// Precondition: no element of densities is negative.
__global__ void maximum_intensity_projection(const float* __restrict__ densities,
                                             cudaTextureObject_t color_table, float4* __restrict__ colors,
                                             int rays) {
    const int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray >= rays) return;

    float largest = densities[ray * SAMPLES];
    for (int k = 1; k < SAMPLES; ++k) {
        largest = fmaxf(largest, densities[ray * SAMPLES + k]);
    }
    const float t = float(ENTRIES - 1) * largest;
    const int low = min(int(t), ENTRIES - 2);
    colors[ray] =
        lerp(tex1Dfetch<float4>(color_table, low), tex1Dfetch<float4>(color_table, low + 1), t - float(low));
}

cudaError_t launch_maximum_intensity_projection(const float* densities, cudaTextureObject_t color_table,
                                                float4* colors, int rays, cudaStream_t stream = nullptr) {
    if (rays <= 0) return cudaSuccess;
    if (rays > INT_MAX / SAMPLES) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (rays + block - 1) / block;
    maximum_intensity_projection<<<grid, block, 0, stream>>>(densities, color_table, colors, rays);
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
    const int rays = 34, samples = 32;
    Array<float> densities(rays * samples);
    Array<float4, float> color_table(128), colors(rays);
    fill_uniform(densities, 0x2370168f, 0.0, 1.0);
    fill_uniform(color_table, 0x9c9df0a2, 0.0, 0.9);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = color_table.device;
    resource.res.linear.desc = cudaCreateChannelDesc<float4>();
    resource.res.linear.sizeInBytes = color_table.bytes;
    const cudaTextureDesc sampling{};
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_maximum_intensity_projection(densities.device, texture, colors.device, rays));
    colors.download();
    double sum = 0.0;
    for (size_t i = 0; i < colors.count; ++i) sum += colors.host[i];
    std::printf("colors: first %g, last %g, sum %.9g\n", colors.host[0], colors.host[colors.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    return 0;
}
