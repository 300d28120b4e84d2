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

// Compute the morphological gradient, dilation minus erosion, over a disk of radius 3. The border repeats
// outside.
__global__ void edge_thickness(const float* __restrict__ gray, float* __restrict__ result, int height,
                               int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const size_t index = size_t(y) * width + x;
    float lowest = gray[index];
    float highest = gray[index];
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
        const int row = min(max(y + dy, 0), height - 1);
        const size_t row_start = size_t(row) * width;
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            if (dy * dy + dx * dx <= RADIUS * RADIUS) {
                const float value = gray[row_start + min(max(x + dx, 0), width - 1)];
                lowest = fminf(lowest, value);
                highest = fmaxf(highest, value);
            }
        }
    }
    result[index] = highest - lowest;
}

cudaError_t launch_edge_thickness(const float* gray, float* result, int height, int width,
                                  cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    edge_thickness<<<grid, block, 0, stream>>>(gray, result, height, width);
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
    const int height = 19, width = 96;
    Array<float> gray(height * width), result(height * width);
    fill_uniform(gray, 0x2370168f, 0.1, 1.0);
    CUDA_CHECK(launch_edge_thickness(gray.device, result.device, height, width));
    result.download();
    double sum = 0.0;
    for (size_t i = 0; i < result.count; ++i) sum += result.host[i];
    std::printf("result: first %g, last %g, sum %.9g\n", result.host[0], result.host[result.count - 1], sum);
    return 0;
}
