#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int RADIUS = 3;

// Gray-scale erosion by a cross of radius 3.
__global__ void grayscale_erosion(const float* __restrict__ image, float* __restrict__ filtered, int height,
                                  int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const size_t row_start = size_t(y) * width;
    const size_t index = row_start + x;
    float lowest = image[index];
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        const int row = min(max(y + k, 0), height - 1);
        const int col = min(max(x + k, 0), width - 1);
        lowest = fminf(lowest, fminf(image[size_t(row) * width + x], image[row_start + col]));
    }
    filtered[index] = lowest;
}

cudaError_t launch_grayscale_erosion(const float* image, float* filtered, int height, int width,
                                     cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    grayscale_erosion<<<grid, block, 0, stream>>>(image, filtered, height, width);
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
    const int height = 14, width = 115;
    Array<float> image(height * width), filtered(height * width);
    fill_uniform(image, 0x2370168f, 0.1, 1.0);
    CUDA_CHECK(launch_grayscale_erosion(image.device, filtered.device, height, width));
    filtered.download();
    double sum = 0.0;
    for (size_t i = 0; i < filtered.count; ++i) sum += filtered.host[i];
    std::printf("filtered: first %g, last %g, sum %.9g\n", filtered.host[0],
                filtered.host[filtered.count - 1], sum);
    return 0;
}
