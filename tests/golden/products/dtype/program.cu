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

// Saturate to 0 … 255.
__device__ uint8_t clamp_to_byte(int value) { return uint8_t(min(max(value, 0), 255)); }

// BT.601 in limited range, with 8 fractional bits.
__device__ void yuv_to_rgb(int luma, int u, int v, uint8_t* out) {
    const int y = 298 * (luma - 16) + 128;
    out[0] = clamp_to_byte((y + 409 * (v - 128)) >> 8);
    out[1] = clamp_to_byte((y - 100 * (u - 128) - 208 * (v - 128)) >> 8);
    out[2] = clamp_to_byte((y + 516 * (u - 128)) >> 8);
}

// Convert YUYV video to RGB: a word holds two pixels, which share their chroma.
__global__ void convert_yuyv(const uint32_t* __restrict__ packed, uint8_t* __restrict__ rgb, int height,
                             int pair_count, int width) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || pair >= pair_count) return;

    const uint32_t word = packed[row * pair_count + pair];
    const int first = int(word & 0xFFu);
    const int u = int((word >> 8) & 0xFFu);
    const int second = int((word >> 16) & 0xFFu);
    const int v = int(word >> 24);
    yuv_to_rgb(first, u, v, &rgb[(size_t(row) * width + 2 * pair) * 3]);
    yuv_to_rgb(second, u, v, &rgb[(size_t(row) * width + 2 * pair + 1) * 3]);
}

cudaError_t launch_convert_yuyv(const uint32_t* packed, uint8_t* rgb, int height, int pair_count, int width,
                                cudaStream_t stream = nullptr) {
    if (height == 0 || pair_count == 0) return cudaSuccess;
    if (int64_t(height) * (int64_t(width) / 2) > INT_MAX) return cudaErrorInvalidValue;
    if (width % 2 != 0) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((pair_count + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    convert_yuyv<<<grid, block, 0, stream>>>(packed, rgb, height, pair_count, width);
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
    const int height = 34, width = 64;
    Array<uint32_t> packed(height * (width / 2));
    Array<uint8_t> rgb(height * width * 3);
    for (size_t i = 0; i < packed.count; ++i) packed.host[i] = pcg(0x2370168f + i) % 4294967295;
    packed.upload();
    CUDA_CHECK(launch_convert_yuyv(packed.device, rgb.device, height, width / 2, width));
    rgb.download();
    double sum = 0.0;
    for (size_t i = 0; i < rgb.count; ++i) sum += rgb.host[i];
    std::printf("rgb: first %g, last %g, sum %.9g\n", double(rgb.host[0]), double(rgb.host[rgb.count - 1]),
                sum);
    return 0;
}
