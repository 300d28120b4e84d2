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

// Per-pixel bilateral filter. Periodic boundaries.
__global__ void bilateral_filter(cudaTextureObject_t intensities, int rows, int cols,
                                 float* __restrict__ denoised_intensities) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;

    const float intensity = float(tex2D<uint8_t>(intensities, col, row)) / 255.0f;
    float weighted_sum = 0.0f;
    float weight_sum = 0.0f;
    const int row_prev = row == 0 ? rows - 1 : row - 1;
    int wrapped_row = row_prev == 0 ? rows - 1 : row_prev - 1;
    const int col_prev = col == 0 ? cols - 1 : col - 1;
    const int col_prev2 = col_prev == 0 ? cols - 1 : col_prev - 1;
    for (int r = -2; r <= 2; ++r) {
        int wrapped_col = col_prev2;
        for (int s = -2; s <= 2; ++s) {
            const float exponent = float(r * r + s * s) / 5.12f;
            const float contrast =
                (float(tex2D<uint8_t>(intensities, wrapped_col, wrapped_row)) / 255.0f - intensity) / 0.25f;
            const float weight = expf(-exponent - 0.5f * (contrast * contrast));
            weighted_sum += weight * (float(tex2D<uint8_t>(intensities, wrapped_col, wrapped_row)) / 255.0f);
            weight_sum += weight;
            wrapped_col = wrapped_col + 1 == cols ? 0 : wrapped_col + 1;
        }
        wrapped_row = wrapped_row + 1 == rows ? 0 : wrapped_row + 1;
    }
    denoised_intensities[row * cols + col] = weighted_sum / weight_sum;
}

cudaError_t launch_bilateral_filter(cudaTextureObject_t intensities, int rows, int cols,
                                    float* denoised_intensities, cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    bilateral_filter<<<grid, block, 0, stream>>>(intensities, rows, cols, denoised_intensities);
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

int main() {
    const int rows = 36, cols = 27;
    Array<uint8_t> intensities(rows * cols);
    Array<float> denoised_intensities(rows * cols);
    for (size_t i = 0; i < intensities.count; ++i) intensities.host[i] = pcg(0x2370168f + i) % 256;
    intensities.upload();
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uint8_t>();
    cudaArray_t texels;
    CUDA_CHECK(cudaMallocArray(&texels, &format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(texels, 0, 0, intensities.host, cols * sizeof(uint8_t),
                                   cols * sizeof(uint8_t), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_bilateral_filter(texture, rows, cols, denoised_intensities.device));
    denoised_intensities.download();
    double sum = 0.0;
    for (size_t i = 0; i < denoised_intensities.count; ++i) sum += denoised_intensities.host[i];
    std::printf("denoised_intensities: first %g, last %g, sum %.9g\n", denoised_intensities.host[0],
                denoised_intensities.host[denoised_intensities.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(texels));
    return 0;
}
