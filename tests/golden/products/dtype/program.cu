#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Return the binomial weights 1, 4, 6, 4, 1 for offsets from -2 to 2.
__device__ int binomial(int k) { return k == 0 ? 6 : k == 1 || k == -1 ? 4 : 1; }

// Compute the next level of a Gaussian pyramid: blur with the binomial weights 1, 4, 6, 4, 1 in both
// directions and keep every second pixel. The weights add up to 256, so that a shift with rounding replaces
// the division. Pixels beyond the border repeat the nearest one.
__global__ void pyramid_down(const uint8_t* __restrict__ fine, uint8_t* __restrict__ coarse, int height,
                             int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    int total = 128;
    for (int dy = -2; dy <= 2; ++dy) {
        const int row = min(max(2 * y + dy, 0), 2 * height - 1);
        const size_t row_start = size_t(row) * 2 * width;
        for (int dx = -2; dx <= 2; ++dx) {
            const int col = min(max(2 * x + dx, 0), 2 * width - 1);
            total += binomial(dy) * binomial(dx) * int(fine[row_start + col]);
        }
    }
    coarse[size_t(y) * width + x] = uint8_t(total >> 8);
}

cudaError_t launch_pyramid_down(const uint8_t* fine, uint8_t* coarse, int height, int width,
                                cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    pyramid_down<<<grid, block, 0, stream>>>(fine, coarse, height, width);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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
    const int height = 18, width = 48;
    Array<uint8_t> fine(2 * height * (2 * width)), coarse(height * width);
    for (size_t i = 0; i < fine.count; ++i) fine.host[i] = pcg(0x2370168f + i) % 256;
    fine.upload();
    CUDA_CHECK(launch_pyramid_down(fine.device, coarse.device, height, width));
    coarse.download();
    double sum = 0.0;
    for (size_t i = 0; i < coarse.count; ++i) sum += coarse.host[i];
    std::printf("coarse: first %g, last %g, sum %.9g\n", double(coarse.host[0]),
                double(coarse.host[coarse.count - 1]), sum);
    return 0;
}
