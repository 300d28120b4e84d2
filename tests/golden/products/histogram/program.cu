#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// auto_levels: Stretch the contrast of an image of 64 gray levels between two percentiles of its histogram.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_BINS = 64;

// Sum of the values of the threads of a warp, for each of them.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
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

// Histogram of the gray levels, and their number.
// Precondition: elements of pixels lie in [8, 56).
__global__ void count_levels(const int* __restrict__ pixels, int* counts, int* num_pixels, int height,
                             int width) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_counts[NUM_BINS];
    const int thread_in_block = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread_in_block < NUM_BINS) shared_counts[thread_in_block] = 0;
    __syncthreads();

    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int thread_total = 0;
    if (y < height && x < width) {
        atomicAdd(&shared_counts[pixels[size_t(y) * width + x]], 1);
        thread_total = 1;
    }

    // All threads would queue for one address here: each block makes one atomic.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(num_pixels, block_total);

    if (thread_in_block < NUM_BINS) atomicAdd(&counts[thread_in_block], shared_counts[thread_in_block]);
}

cudaError_t launch_count_levels(const int* pixels, int* counts, int* num_pixels, int height, int width,
                                cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    count_levels<<<grid, block, 0, stream>>>(pixels, counts, num_pixels, height, width);
    return cudaGetLastError();
}

// First levels at which the cumulative histogram exceeds the low and the high share of the pixels.
__global__ void find_percentiles(const int* __restrict__ counts, const int* __restrict__ num_pixels,
                                 int low_percent, int high_percent, int* __restrict__ limits) {
    const int level = threadIdx.x;

    int before = 0;
    for (int k = 0; k < level; ++k) {
        before += counts[k];
    }
    const int upto = before + counts[level];
    const int low_rank = num_pixels[0] * low_percent / 100;
    const int high_rank = num_pixels[0] * high_percent / 100;
    if (before <= low_rank && low_rank < upto) {
        limits[0] = level;
    }
    if (before <= high_rank && high_rank < upto) {
        limits[1] = level;
    }
}

cudaError_t launch_find_percentiles(const int* counts, const int* num_pixels, int low_percent,
                                    int high_percent, int* limits, cudaStream_t stream) {
    constexpr unsigned block = 64;
    constexpr unsigned grid = 1;
    find_percentiles<<<grid, block, 0, stream>>>(counts, num_pixels, low_percent, high_percent, limits);
    return cudaGetLastError();
}

// Map the levels between the limits to [0, 1], and apply a gamma; what is beyond them saturates.
__global__ void stretch(const int* __restrict__ pixels, const int* __restrict__ limits, float gamma,
                        float* __restrict__ stretched, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const int low = limits[0];
    const int span = max(limits[1] - low, 1);
    const size_t index = size_t(y) * width + x;
    const int above = min(max(pixels[index] - low, 0), span);
    stretched[index] = powf(float(above) / float(span), gamma);
}

cudaError_t launch_stretch(const int* pixels, const int* limits, float gamma, float* stretched, int height,
                           int width, cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    stretch<<<grid, block, 0, stream>>>(pixels, limits, gamma, stretched, height, width);
    return cudaGetLastError();
}

cudaError_t launch_auto_levels(const int* pixels, int low_percent, int high_percent, float gamma, int* counts,
                               int* num_pixels, int* limits, float* stretched, int n,
                               cudaStream_t stream = nullptr) {
    const int height = (n + 63) / 64 + 2;
    constexpr int width = 80;
    if (const cudaError_t status = cudaMemsetAsync(counts, 0, 64 * sizeof(*counts), stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(num_pixels, 0, sizeof(*num_pixels), stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(limits, 0, 2 * sizeof(*limits), stream)) return status;
    if (const cudaError_t status = launch_count_levels(pixels, counts, num_pixels, height, width, stream))
        return status;
    if (const cudaError_t status =
            launch_find_percentiles(counts, num_pixels, low_percent, high_percent, limits, stream))
        return status;
    if (const cudaError_t status = launch_stretch(pixels, limits, gamma, stretched, height, width, stream))
        return status;
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, height = 18, width = 80;
    Array<int> pixels(height * width), counts(64), num_pixels(1), limits(2);
    Array<float> stretched(height * width);
    const int low_percent = 2, high_percent = 95;
    const float gamma = 0.6137489f;
    fill_integers(pixels, 0x2370168f, 8, 56);
    CUDA_CHECK(launch_auto_levels(pixels.device, low_percent, high_percent, gamma, counts.device,
                                  num_pixels.device, limits.device, stretched.device, n));
    print_output("counts", counts);
    num_pixels.download();
    std::printf("num_pixels: %d\n", num_pixels.host[0]);
    print_output("limits", limits);
    print_output("stretched", stretched);
    return 0;
}
