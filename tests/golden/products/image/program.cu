#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

__device__ inline float3 multiply_components(float3 a, float3 b) {
    return make_float3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// Index reflected at the border, which keeps the color of the pattern.
__device__ int mirrored(int index, int size) {
    const int inside = abs(index);
    return inside >= size ? 2 * size - 2 - inside : inside;
}

// Sample of the mosaic, mirrored beyond the border.
__device__ float tap(const int* mosaic, int y, int x, int mosaic_rows, int mosaic_cols) {
    const int value = mosaic[size_t(wrap_index(mirrored(y, mosaic_rows), mosaic_rows)) * mosaic_cols +
                             wrap_index(mirrored(x, mosaic_cols), mosaic_cols)];
    return float(value);
}

// Bilinear demosaicing of a Bayer pattern (RGGB), with white balance.
__global__ void bayer_to_rgb(const int* __restrict__ mosaic, float black_level, float white_level,
                             float3 gains, float3* __restrict__ rgb, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const float center = tap(mosaic, y, x, height, width);
    const float sides = tap(mosaic, y, x - 1, height, width) + tap(mosaic, y, x + 1, height, width);
    const float ends = tap(mosaic, y - 1, x, height, width) + tap(mosaic, y + 1, x, height, width);
    float corners = tap(mosaic, y - 1, x - 1, height, width) + tap(mosaic, y - 1, x + 1, height, width);
    corners += tap(mosaic, y + 1, x - 1, height, width) + tap(mosaic, y + 1, x + 1, height, width);
    const float cross = 0.25f * (sides + ends);
    const float diagonal = 0.25f * corners;
    const float along_row = 0.5f * sides;
    const float along_column = 0.5f * ends;
    float3 color;
    if (((y + x) & 1) == 1) {
        // A green sensor: red lies in its row or in its column.
        if ((y & 1) == 0) {
            color = make_float3(along_row, center, along_column);
        } else {
            color = make_float3(along_column, center, along_row);
        }
    } else if ((y & 1) == 0) {
        color = make_float3(center, cross, diagonal);
    } else {
        color = make_float3(diagonal, cross, center);
    }
    color = (color - make_float3(black_level, black_level, black_level)) / (white_level - black_level);
    rgb[size_t(y) * width + x] = multiply_components(gains, color);
}

cudaError_t launch_bayer_to_rgb(const int* mosaic, float black_level, float white_level, float3 gains,
                                float3* rgb, int height, int width, cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    bayer_to_rgb<<<grid, block, 0, stream>>>(mosaic, black_level, white_level, gains, rgb, height, width);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int height = 20, width = 96;
    Array<int> mosaic(height * width);
    Array<float3, float> rgb(height * width);
    const float black_level = 64.0f, white_level = 1023.0f;
    const float3 gains = make_float3(1.5129974f, 1.1271007f, 2.0391636f);
    fill_integers(mosaic, 0x2370168f, 60, 1024);
    CUDA_CHECK(
        launch_bayer_to_rgb(mosaic.device, black_level, white_level, gains, rgb.device, height, width));
    rgb.download();
    double sum = 0.0;
    for (size_t i = 0; i < rgb.count; ++i) sum += rgb.host[i];
    std::printf("rgb: first %g, last %g, sum %.9g\n", rgb.host[0], rgb.host[rgb.count - 1], sum);
    return 0;
}
