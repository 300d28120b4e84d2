#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Classify pixels by two thresholds: 255 above the high one, 128 above the low one, and 0 otherwise.
__global__ void classify_levels(const uint8_t* __restrict__ first, int low, int high,
                                uint8_t* __restrict__ result, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const size_t index = size_t(y) * width + x;
    const int level = int(first[index]);
    if (level > high) {
        result[index] = 255;
    } else if (level > low) {
        result[index] = 128;
    } else {
        result[index] = 0;
    }
}

cudaError_t launch_classify_levels(const uint8_t* first, int low, int high, uint8_t* result, int height,
                                   int width, cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    classify_levels<<<grid, block, 0, stream>>>(first, low, high, result, height, width);
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
    const int height = 18, width = 96;
    Array<uint8_t> first(height * width), result(height * width);
    const int low = 32, high = 171;
    for (size_t i = 0; i < first.count; ++i) first.host[i] = pcg(0x2370168f + i) % 256;
    first.upload();
    CUDA_CHECK(launch_classify_levels(first.device, low, high, result.device, height, width));
    result.download();
    double sum = 0.0;
    for (size_t i = 0; i < result.count; ++i) sum += result.host[i];
    std::printf("result: first %g, last %g, sum %.9g\n", double(result.host[0]),
                double(result.host[result.count - 1]), sum);
    return 0;
}
