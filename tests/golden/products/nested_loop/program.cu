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

constexpr int RADIUS = 2;
constexpr int KERNELS_ROWS = 5;
constexpr int KERNELS_COLS = 5;

// Convolution over all input channels with 5 x 5 filters and zero padding.
__global__ void conv2d(const float* __restrict__ image, const float* __restrict__ kernels,
                       const float* __restrict__ bias, float* __restrict__ features, int height, int width) {
    const int out_channel = blockIdx.z;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || col >= width) return;

    float total = bias[out_channel];
    for (int c = 0; c < 4; ++c) {
        for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
            const int r = row + dy;
            if (r >= 0 && r < height) {
                const int row_start = (c * height + r) * width;
                for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
                    const int s = col + dx;
                    if (s >= 0 && s < width) {
                        const float weight =
                            kernels[((out_channel * 4 + c) * KERNELS_ROWS + dy + RADIUS) * KERNELS_COLS + dx +
                                    RADIUS];
                        total += weight * image[row_start + s];
                    }
                }
            }
        }
    }
    features[(out_channel * height + row) * width + col] = total;
}

cudaError_t launch_conv2d(const float* image, const float* kernels, const float* bias, float* features,
                          int height, int width, cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX / 8) return cudaErrorInvalidValue;
    // Blocks fit rows of 20: in wider ones, threads would idle.
    const dim3 block(20, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y, 8);
    conv2d<<<grid, block, 0, stream>>>(image, kernels, bias, features, height, width);
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
    const int height = 18, width = 20;
    Array<float> image(4 * height * width), kernels(8 * 4 * 5 * 5), bias(8), features(8 * height * width);
    fill_uniform(image, 0x2370168f, -1.0, 1.0);
    fill_uniform(kernels, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(bias, 0x8a2e10de, -0.2, 0.2);
    CUDA_CHECK(launch_conv2d(image.device, kernels.device, bias.device, features.device, height, width));
    features.download();
    double sum = 0.0;
    for (size_t i = 0; i < features.count; ++i) sum += features.host[i];
    std::printf("features: first %g, last %g, sum %.9g\n", features.host[0],
                features.host[features.count - 1], sum);
    return 0;
}
