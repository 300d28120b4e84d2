#include <cuda_runtime.h>
#include <algorithm>
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

__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Compute the thinned magnitude of each pixel by suppression of what is no maximum. It needs the gradient,
// computed by the Scharr operator. Beyond the border the nearest element counts.
__global__ void pixel_thinned_magnitude(cudaTextureObject_t magnitudes, cudaTextureObject_t intensities,
                                        int rows, int cols, float* __restrict__ thinned_magnitudes) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;

    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
        const float magnitude = tex2D<float>(magnitudes, col, row);
        const float up = float(tex2D<uint8_t>(intensities, col, max(row - 1, 0))) / 255.0f;
        const float down = float(tex2D<uint8_t>(intensities, col, min(row + 1, rows - 1))) / 255.0f;
        const float left = float(tex2D<uint8_t>(intensities, max(col - 1, 0), row)) / 255.0f;
        const float right = float(tex2D<uint8_t>(intensities, min(col + 1, cols - 1), row)) / 255.0f;
        const float upper_left =
            float(tex2D<uint8_t>(intensities, max(col - 1, 0), max(row - 1, 0))) / 255.0f;
        const float upper_right =
            float(tex2D<uint8_t>(intensities, min(col + 1, cols - 1), max(row - 1, 0))) / 255.0f;
        const float lower_left =
            float(tex2D<uint8_t>(intensities, max(col - 1, 0), min(row + 1, rows - 1))) / 255.0f;
        const float lower_right =
            float(tex2D<uint8_t>(intensities, min(col + 1, cols - 1), min(row + 1, rows - 1))) / 255.0f;
        const float2 gradient =
            0.03125f * make_float2(3.0f * (upper_right - upper_left) + 10.0f * (right - left) +
                                       3.0f * (lower_right - lower_left),
                                   3.0f * (lower_left - upper_left) + 10.0f * (down - up) +
                                       3.0f * (lower_right - upper_right));
        const float steep_x = fabsf(gradient.x);
        const float steep_y = fabsf(gradient.y);
        float before = 0.0f;
        float after = 0.0f;
        if (steep_x > 2.4142f * steep_y + 0.0001f) {
            before = tex2D<float>(magnitudes, max(col - 1, 0), row);
            after = tex2D<float>(magnitudes, min(col + 1, cols - 1), row);
        } else if (steep_y > 2.4142f * steep_x + 0.0001f) {
            before = tex2D<float>(magnitudes, col, max(row - 1, 0));
            after = tex2D<float>(magnitudes, col, min(row + 1, rows - 1));
        } else if (gradient.x * gradient.y > 1e-6f) {
            before = tex2D<float>(magnitudes, max(col - 1, 0), max(row - 1, 0));
            after = tex2D<float>(magnitudes, min(col + 1, cols - 1), min(row + 1, rows - 1));
        } else {
            before = tex2D<float>(magnitudes, min(col + 1, cols - 1), max(row - 1, 0));
            after = tex2D<float>(magnitudes, max(col - 1, 0), min(row + 1, rows - 1));
        }
        const float thinned_magnitude = magnitude >= before && magnitude >= after ? magnitude : 0.0f;
        thinned_magnitudes[row * cols + col] = thinned_magnitude;
    }
}

cudaError_t launch_pixel_thinned_magnitude(cudaTextureObject_t magnitudes, cudaTextureObject_t intensities,
                                           int rows, int cols, float* thinned_magnitudes,
                                           cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x,
                    std::min<unsigned>((rows + block.y - 1) / block.y, 65535));
    pixel_thinned_magnitude<<<grid, block, 0, stream>>>(magnitudes, intensities, rows, cols,
                                                        thinned_magnitudes);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int rows = 28, cols = 37;
    Array<float> magnitudes(rows * cols), thinned_magnitudes(rows * cols);
    Array<uint8_t> intensities(rows * cols);
    fill_uniform(magnitudes, 0x2370168f, 0.0, 1.5);
    for (size_t i = 0; i < intensities.count; ++i) intensities.host[i] = pcg(0x9c9df0a2 + i) % 256;
    intensities.upload();
    const cudaChannelFormatDesc magnitudes_format = cudaCreateChannelDesc<float>();
    cudaArray_t magnitudes_texels;
    CUDA_CHECK(cudaMallocArray(&magnitudes_texels, &magnitudes_format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(magnitudes_texels, 0, 0, magnitudes.host, cols * sizeof(float),
                                   cols * sizeof(float), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc magnitudes_resource{};
    magnitudes_resource.resType = cudaResourceTypeArray;
    magnitudes_resource.res.array.array = magnitudes_texels;
    cudaTextureDesc magnitudes_sampling{};
    magnitudes_sampling.addressMode[0] = magnitudes_sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t magnitudes_texture;
    CUDA_CHECK(
        cudaCreateTextureObject(&magnitudes_texture, &magnitudes_resource, &magnitudes_sampling, nullptr));
    const cudaChannelFormatDesc intensities_format = cudaCreateChannelDesc<uint8_t>();
    cudaArray_t intensities_texels;
    CUDA_CHECK(cudaMallocArray(&intensities_texels, &intensities_format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(intensities_texels, 0, 0, intensities.host, cols * sizeof(uint8_t),
                                   cols * sizeof(uint8_t), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc intensities_resource{};
    intensities_resource.resType = cudaResourceTypeArray;
    intensities_resource.res.array.array = intensities_texels;
    cudaTextureDesc intensities_sampling{};
    intensities_sampling.addressMode[0] = intensities_sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t intensities_texture;
    CUDA_CHECK(
        cudaCreateTextureObject(&intensities_texture, &intensities_resource, &intensities_sampling, nullptr));
    CUDA_CHECK(launch_pixel_thinned_magnitude(magnitudes_texture, intensities_texture, rows, cols,
                                              thinned_magnitudes.device));
    thinned_magnitudes.download();
    double sum = 0.0;
    for (size_t i = 0; i < thinned_magnitudes.count; ++i) sum += thinned_magnitudes.host[i];
    std::printf("thinned_magnitudes: first %g, last %g, sum %.9g\n", thinned_magnitudes.host[0],
                thinned_magnitudes.host[thinned_magnitudes.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(magnitudes_texture));
    CUDA_CHECK(cudaFreeArray(magnitudes_texels));
    CUDA_CHECK(cudaDestroyTextureObject(intensities_texture));
    CUDA_CHECK(cudaFreeArray(intensities_texels));
    return 0;
}
