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

__constant__ int thresholds[16];

// Ordered dither of an 8-bit image to 8 levels with a 4 x 4 threshold matrix.
// Precondition: no element of image is negative.
__global__ void ordered_dither(const int* __restrict__ image, int* __restrict__ dithered, int rows,
                               int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const int index = i * cols + j;
    const int scaled = image[index] * 7;
    int level = scaled / 255;
    const int remainder = scaled % 255;
    if (remainder * 16 > thresholds[i % 4 * 4 + j % 4] * 255) {
        level += 1;
    }
    dithered[index] = level;
}

cudaError_t launch_ordered_dither(const int* image, int* dithered, int rows, int cols,
                                  cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    ordered_dither<<<grid, block, 0, stream>>>(image, dithered, rows, cols);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int rows = 15, cols = 80;
    Array<int> image(rows * cols), dithered(rows * cols), thresholds_(4 * 4);
    fill_integers(image, 0x2370168f, 256);
    fill_integers(thresholds_, 0x9c9df0a2, 16);
    CUDA_CHECK(cudaMemcpyToSymbol(thresholds, thresholds_.host, sizeof(thresholds)));
    CUDA_CHECK(launch_ordered_dither(image.device, dithered.device, rows, cols));
    dithered.download();
    double sum = 0.0;
    for (size_t i = 0; i < dithered.count; ++i) sum += dithered.host[i];
    std::printf("dithered: first %g, last %g, sum %.9g\n", double(dithered.host[0]),
                double(dithered.host[dithered.count - 1]), sum);
    return 0;
}
