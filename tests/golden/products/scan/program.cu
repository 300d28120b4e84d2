#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// box_filter_by_sat: Filter an image by box averages with a summed-area table.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int RADIUS = 3;

// Return the sum over rows top to bottom - 1 and columns left to right - 1 from four corners of the table.
__device__ int box_sum(const int* sat, int top, int left, int bottom, int right, int sat_cols) {
    const size_t row_start = size_t(bottom) * sat_cols;
    const size_t sat_row_start = size_t(top) * sat_cols;
    return sat[row_start + right] - sat[sat_row_start + right] - sat[row_start + left] +
           sat[sat_row_start + left];
}

// Compute the prefix sums down each column of an image. Row 0 and column 0 of the table are zero and stay so.
__global__ void scan_columns(const int* __restrict__ gray, int* __restrict__ partial, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;

    int total = 0;
    for (int y = 0; y < height; ++y) {
        total += gray[size_t(y) * width + x];
        partial[size_t(y + 1) * (width + 1) + x + 1] = total;
    }
}

cudaError_t launch_scan_columns(const int* gray, int* partial, int width, int height, cudaStream_t stream) {
    if (width <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (width + block - 1) / block;
    scan_columns<<<grid, block, 0, stream>>>(gray, partial, width, height);
    return cudaGetLastError();
}

// Add the column that lies `stride` to the left: one step of recursive doubling, which scans the rows.
__global__ void add_left(const int* __restrict__ before, int stride, int* __restrict__ after, int height,
                         int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height + 1 || x >= width + 1) return;

    const size_t row_start = size_t(y) * (width + 1);
    int total = before[row_start + x];
    if (x >= stride) {
        total += before[row_start + x - stride];
    }
    after[row_start + x] = total;
}

cudaError_t launch_add_left(const int* before, int stride, int* after, int height, int width,
                            cudaStream_t stream) {
    const int threads_x = width + 1;
    const int threads_y = height + 1;
    if (threads_y <= 0 || threads_x <= 0) return cudaSuccess;
    if (stride < 1) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((threads_x + block.x - 1) / block.x, (threads_y + block.y - 1) / block.y);
    add_left<<<grid, block, 0, stream>>>(before, stride, after, height, width);
    return cudaGetLastError();
}

// Average the window of each pixel, cut off at the border.
__global__ void average_boxes(const int* __restrict__ sat, float* __restrict__ filtered, int num_rows,
                              int num_cols) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= num_rows || x >= num_cols) return;

    const int top = max(y - RADIUS, 0);
    const int left = max(x - RADIUS, 0);
    const int bottom = min(y + RADIUS + 1, num_rows);
    const int right = min(x + RADIUS + 1, num_cols);
    const int area = (bottom - top) * (right - left);
    const int total = box_sum(sat, top, left, bottom, right, num_cols + 1);
    filtered[size_t(y) * num_cols + x] = float(total) / float(area);
}

cudaError_t launch_average_boxes(const int* sat, float* filtered, int num_rows, int num_cols,
                                 cudaStream_t stream) {
    if (num_rows <= 0 || num_cols <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((num_cols + block.x - 1) / block.x, (num_rows + block.y - 1) / block.y);
    average_boxes<<<grid, block, 0, stream>>>(sat, filtered, num_rows, num_cols);
    return cudaGetLastError();
}

cudaError_t launch_box_filter_by_sat(const int* gray, int* partial, int* sat, float* filtered, int height,
                                     int width, cudaStream_t stream = nullptr) {
    if (const cudaError_t status =
            cudaMemsetAsync(partial, 0, size_t(height + 1) * size_t(width + 1) * sizeof(*partial), stream))
        return status;
    if (const cudaError_t status = launch_scan_columns(gray, partial, width, height, stream)) return status;
    if (const cudaError_t status = launch_add_left(partial, 1, sat, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(sat, 2, partial, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(partial, 4, sat, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(sat, 8, partial, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(partial, 16, sat, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(sat, 32, partial, height, width, stream)) return status;
    if (const cudaError_t status = launch_add_left(partial, 64, sat, height, width, stream)) return status;
    if (const cudaError_t status = launch_average_boxes(sat, filtered, height, width, stream)) return status;
    return cudaSuccess;
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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int height = 18, width = 112;
    Array<int> gray(height * width), partial((height + 1) * (width + 1)), sat((height + 1) * (width + 1));
    Array<float> filtered(height * width);
    for (size_t i = 0; i < gray.count; ++i) gray.host[i] = pcg(0x2370168f + i) % 256;
    gray.upload();
    CUDA_CHECK(
        launch_box_filter_by_sat(gray.device, partial.device, sat.device, filtered.device, height, width));
    print_output("partial", partial);
    print_output("sat", sat);
    print_output("filtered", filtered);
    return 0;
}
