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

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Random bits of a lattice point: the PCG hash of its coordinates.
__device__ uint32_t hash_cell(int x, int y, int seed) {
    uint32_t h = uint32_t(x) * 747796405u + uint32_t(seed);
    h = (h ^ uint32_t(y)) * 2891336453u + 1u;
    h = ((h >> ((h >> 28) + 4u)) ^ h) * 277803737u;
    return (h >> 22) ^ h;
}

// Linear ramp at a lattice point along one of eight directions.
__device__ float gradient_ramp(int x, int y, int seed, float dx, float dy) {
    const int h = int(hash_cell(x, y, seed) & 7u);
    const float u = h < 4 ? dx : dy;
    const float v = h < 4 ? dy : dx;
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    return ((h & 1) == 0 ? u : 0.0f - u) + 0.5f * ((h & 2) == 0 ? v : 0.0f - v);
}

// Perlin's quintic fade curve.
__device__ float fade(float t) { return t * t * t * (t * (6.0f * t - 15.0f) + 10.0f); }

// Gradient noise: ramps at the four corners of a cell, blended by the fade curve.
__device__ float noise2(float2 p, int seed) {
    const int ix = int(floorf(p.x));
    const int iy = int(floorf(p.y));
    const float fx = p.x - floorf(p.x);
    const float fy = p.y - floorf(p.y);
    const float n00 = gradient_ramp(ix, iy, seed, fx, fy);
    const float n10 = gradient_ramp(ix + 1, iy, seed, fx - 1.0f, fy);
    const float n01 = gradient_ramp(ix, iy + 1, seed, fx, fy - 1.0f);
    const float n11 = gradient_ramp(ix + 1, iy + 1, seed, fx - 1.0f, fy - 1.0f);
    return lerp(lerp(n00, n10, fade(fx)), lerp(n01, n11, fade(fx)), fade(fy));
}

// Turbulence: a sum of the magnitudes of 3 octaves of noise, for a batch of images.
__global__ void perlin_turbulence(const float2* __restrict__ origins, float cell_size, float lacunarity,
                                  float gain, int seed, float* __restrict__ texture, int images, int height,
                                  int width) {
    const int image = blockIdx.z * blockDim.z + threadIdx.z;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (image >= images || row >= height || col >= width) return;

    const float2 p = (origins[image] + make_float2(float(col), float(row))) / cell_size;
    float total = 0.0f;
    float amplitude = 1.0f;
    float frequency = 1.0f;
    for (int octave = 0; octave < 3; ++octave) {
        total += amplitude * fabsf(noise2(frequency * p, seed + octave));
        amplitude *= gain;
        frequency *= lacunarity;
    }
    texture[(image * height + row) * width + col] = total;
}

cudaError_t launch_perlin_turbulence(const float2* origins, float cell_size, float lacunarity, float gain,
                                     int seed, float* texture, int images, int height, int width,
                                     cudaStream_t stream = nullptr) {
    if (images == 0 || height == 0 || width == 0) return cudaSuccess;
    if (int64_t(images) * height > INT_MAX / width) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 4, 2);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y,
                    (images + block.z - 1) / block.z);
    perlin_turbulence<<<grid, block, 0, stream>>>(origins, cell_size, lacunarity, gain, seed, texture, images,
                                                  height, width);
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

void fill_uniform(Array<float2, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int images = 3, height = 35, width = 64;
    Array<float2, float> origins(images);
    Array<float> texture(images * height * width);
    const float cell_size = 8.28161f, lacunarity = 1.8161516f, gain = 0.48549956f;
    const int seed = 7914;
    fill_uniform(origins, 0x2370168f, -100.0, 100.0);
    CUDA_CHECK(launch_perlin_turbulence(origins.device, cell_size, lacunarity, gain, seed, texture.device,
                                        images, height, width));
    texture.download();
    double sum = 0.0;
    for (size_t i = 0; i < texture.count; ++i) sum += texture.host[i];
    std::printf("texture: first %g, last %g, sum %.9g\n", texture.host[0], texture.host[texture.count - 1],
                sum);
    return 0;
}
