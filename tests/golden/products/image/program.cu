#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int LARGEST_INT = 2147483647;
constexpr int WINDOW_RADIUS = 2;

// Sum of the values of a warp, returned to all of its threads.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of a block, returned to its first thread.
__device__ inline int block_reduce_sum(int value) {
    __shared__ int partial[32];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned lane = thread % 32;
    const unsigned warp = thread / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x * blockDim.y / 32 ? partial[lane] : 0) : value;
}

// Return a pixel, or the nearest one if it lies beyond the border.
__device__ int gray_level(const int* image, int y, int x, int image_rows, int image_cols) {
    return image[min(max(y, 0), image_rows - 1) * image_cols + min(max(x, 0), image_cols - 1)];
}

// Compute the Moravec response, the smallest sum of squared differences between the window and itself shifted
// by one pixel in four directions. The response is large only where every shift changes the window.
__global__ void moravec_response(const int* __restrict__ image, int* __restrict__ response, int rows,
                                 int cols) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= rows || x >= cols) return;

    int smallest = LARGEST_INT;
    // the shifts (1, 1), (0, 1), (-1, 1) and (1, 0)
    for (int direction = 0; direction < 4; ++direction) {
        const int dx = 1 - direction % 3;
        const int dy = direction < 3 ? 1 : 0;
        int total = 0;
        for (int b = -WINDOW_RADIUS; b <= WINDOW_RADIUS; ++b) {
            for (int a = -WINDOW_RADIUS; a <= WINDOW_RADIUS; ++a) {
                const int shifted = gray_level(image, y + b + dy, x + a + dx, rows, cols);
                const int difference = shifted - gray_level(image, y + b, x + a, rows, cols);
                total += difference * difference;
            }
        }
        smallest = min(smallest, total);
    }
    response[y * cols + x] = smallest;
}

cudaError_t launch_moravec_response(const int* image, int* response, int rows, int cols,
                                    cudaStream_t stream) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    moravec_response<<<grid, block, 0, stream>>>(image, response, rows, cols);
    return cudaGetLastError();
}

// Keep the pixels whose response exceeds `low` and is at least that of each of the eight neighbors; of equal
// ones the first in reading order stays. Corners are marked with 1, and counted.
__global__ void suppress_weaker(const int* __restrict__ response, int low, int* __restrict__ corners,
                                int* num_corners, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int thread_total = 0;
    if (x < cols) {
        for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < rows; y += gridDim.y * blockDim.y) {
            const int index = y * cols + x;
            const int value = response[index];
            int kept = value > low ? 1 : 0;
            if (kept == 1) {
                const int v_end = min(y + 2, rows);
                for (int v = max(y - 1, 0); v < v_end; ++v) {
                    const int u_end = min(x + 2, cols);
                    const int row_start = v * cols;
                    for (int u = max(x - 1, 0); u < u_end; ++u) {
                        const bool earlier = v < y || (v == y && u < x);
                        const int response_vu = response[row_start + u];
                        if (response_vu > value || (earlier && response_vu == value)) {
                            kept = 0;
                        }
                    }
                }
            }
            corners[index] = kept;
            thread_total += kept;
        }
    }

    // One atomic per block: one per thread would serialize on one address.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(num_corners, block_total);
}

cudaError_t launch_suppress_weaker(const int* response, int low, int* corners, int* num_corners, int rows,
                                   int cols, cudaStream_t stream) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // One stride beyond the last element must still be an int.
    if (rows > INT_MAX - 1024 * 8) return cudaErrorInvalidConfiguration;
    // About 1,024 blocks keep a GPU busy: their threads stride over the other elements.
    const dim3 block(32, 8);
    dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    grid.y = std::min(grid.y, std::max(1024 / grid.x, 1u));
    suppress_weaker<<<grid, block, 0, stream>>>(response, low, corners, num_corners, rows, cols);
    return cudaGetLastError();
}

// Detect corners of an image by Moravec's detector, then suppress all but local maxima.
cudaError_t launch_detect_moravec_corners(const int* image, int* response, int low, int* num_corners,
                                          int* corners, int rows, int cols, cudaStream_t stream = nullptr) {
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    if (const cudaError_t status = cudaMemsetAsync(num_corners, 0, sizeof(*num_corners), stream))
        return status;
    if (const cudaError_t status = launch_moravec_response(image, response, rows, cols, stream))
        return status;
    return launch_suppress_weaker(response, low, corners, num_corners, rows, cols, stream);
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

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int rows = 17, cols = 96;
    Array<int> image(rows * cols), response(rows * cols), num_corners(1), corners(rows * cols);
    const int low = 256540;
    for (size_t i = 0; i < image.count; ++i) image.host[i] = pcg(0x2370168f + i) % 256;
    image.upload();
    CUDA_CHECK(launch_detect_moravec_corners(image.device, response.device, low, num_corners.device,
                                             corners.device, rows, cols));
    print_output("response", response);
    num_corners.download();
    std::printf("num_corners: %d\n", num_corners.host[0]);
    print_output("corners", corners);
    return 0;
}
