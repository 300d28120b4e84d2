#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int GRAY_LEVELS = 256;

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
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0) : value;
}

// Sum of the values of this thread and all before it in the block (inclusive scan).
__device__ inline int block_scan_sum(int value) {
    __shared__ int partial[32];
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (threadIdx.x % 32 >= offset) value += other;
    }
    if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int own = threadIdx.x / 32;
    for (int warp = 0; warp < own; ++warp) {
        value += partial[warp];
    }
    return value;
}

// Compute the luma of 8-bit colors, rounded down, with the weights of Rec. 601 in units of 1/256.
__global__ void compute_luma(const uchar3* __restrict__ colors, int* __restrict__ luma, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const uchar3 color = colors[index];
    const int weighted = 77 * int(color.x) + 150 * int(color.y) + 29 * int(color.z);
    luma[index] = weighted / 256;
}

cudaError_t launch_compute_luma(const uchar3* colors, int* luma, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    compute_luma<<<grid, block, 0, stream>>>(colors, luma, count);
    return cudaGetLastError();
}

// Count the pixels of each gray level.
// Precondition: elements of luma lie in [0, GRAY_LEVELS).
__global__ void count_levels(const int* __restrict__ luma, int* counts, int count) {
    // The block counts in bins of its own, and then makes one global atomic per bin.
    __shared__ int shared_counts[GRAY_LEVELS];
    shared_counts[threadIdx.x] = 0;
    __syncthreads();

    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < uint32_t(count);
         index += gridDim.x * blockDim.x) {
        atomicAdd(&shared_counts[luma[index]], 1);
    }

    __syncthreads();
    if (shared_counts[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], shared_counts[threadIdx.x]);
}

cudaError_t launch_count_levels(const int* luma, int* counts, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    // At least 4 elements per thread: with fewer, the atomics of a block would outweigh its work.
    // About 1,024 blocks keep a GPU busy: their threads stride over the other elements.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + 4 * block - 1) / (4 * block), 1024);
    count_levels<<<grid, block, 0, stream>>>(luma, counts, count);
    return cudaGetLastError();
}

// Clip the count of each level at clip_limit, and add what is cut off to excess[0].
__global__ void clip_counts(const int* __restrict__ counts, int clip_limit, int* __restrict__ clipped,
                            int* excess) {
    const int level = threadIdx.x;

    const int count = counts[level];
    clipped[level] = min(count, clip_limit);
    const int thread_total = max(count - clip_limit, 0);

    // One atomic per block: one per thread would serialize on one address.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(excess, block_total);
}

cudaError_t launch_clip_counts(const int* counts, int clip_limit, int* clipped, int* excess,
                               cudaStream_t stream) {
    constexpr unsigned block = 256;
    constexpr unsigned grid = 1;
    clip_counts<<<grid, block, 0, stream>>>(counts, clip_limit, clipped, excess);
    return cudaGetLastError();
}

// Compute the cumulative histogram: for each level, the clipped count of all levels up to it.
__global__ void accumulate_clipped_counts(const int* __restrict__ clipped, int* __restrict__ cumulative) {
    const int level = threadIdx.x;

    const int total = block_scan_sum(clipped[level]);
    cumulative[level] = total;
}

cudaError_t launch_accumulate_clipped_counts(const int* clipped, int* cumulative, cudaStream_t stream) {
    constexpr unsigned block = 256;
    constexpr unsigned grid = 1;
    accumulate_clipped_counts<<<grid, block, 0, stream>>>(clipped, cumulative);
    return cudaGetLastError();
}

// Map each gray level to a new one, so that the cumulative histogram becomes about linear: the share of
// pixels up to it, times the highest level, rounded down. The excess is spread over all levels, and the first
// get the remainder.
__global__ void build_clipped_table(const int* __restrict__ cumulative, const int* __restrict__ excess,
                                    int* __restrict__ table) {
    const int level = threadIdx.x;

    const int share = excess[0] / GRAY_LEVELS;
    const int remainder = excess[0] % GRAY_LEVELS;
    const int num_pixels = cumulative[GRAY_LEVELS - 1] + excess[0];
    const int up_to_level = cumulative[level] + (level + 1) * share + min(level + 1, remainder);
    // the product needs 64 bits for images of millions of pixels
    table[level] = int(int64_t(up_to_level) * int64_t(GRAY_LEVELS - 1) / int64_t(num_pixels));
}

cudaError_t launch_build_clipped_table(const int* cumulative, const int* excess, int* table,
                                       cudaStream_t stream) {
    constexpr unsigned block = 256;
    constexpr unsigned grid = 1;
    build_clipped_table<<<grid, block, 0, stream>>>(cumulative, excess, table);
    return cudaGetLastError();
}

// Look up the new level of each pixel.
// Precondition: elements of luma are indices of table.
__global__ void apply_table(const int* __restrict__ luma, const int* __restrict__ table,
                            int* __restrict__ equalized, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    equalized[index] = table[luma[index]];
}

cudaError_t launch_apply_table(const int* luma, const int* table, int* equalized, int count,
                               cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    apply_table<<<grid, block, 0, stream>>>(luma, table, equalized, count);
    return cudaGetLastError();
}

// Equalize the histogram of the luma of a color image with limited contrast: counts above clip_limit are
// spread over all levels.
cudaError_t launch_contrast_limited_equalization(const uchar3* colors, int* luma, int clip_limit, int* counts,
                                                 int* clipped, int* excess, int* cumulative, int* table,
                                                 int* equalized, int height, int width,
                                                 cudaStream_t stream = nullptr) {
    if (height < 0 || width < 0 || int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    if (const cudaError_t status = cudaMemsetAsync(counts, 0, GRAY_LEVELS * sizeof(*counts), stream))
        return status;
    if (const cudaError_t status = cudaMemsetAsync(excess, 0, sizeof(*excess), stream)) return status;
    if (const cudaError_t status = launch_compute_luma(colors, luma, height * width, stream)) return status;
    if (const cudaError_t status = launch_count_levels(luma, counts, height * width, stream)) return status;
    if (const cudaError_t status = launch_clip_counts(counts, clip_limit, clipped, excess, stream))
        return status;
    if (const cudaError_t status = launch_accumulate_clipped_counts(clipped, cumulative, stream))
        return status;
    if (const cudaError_t status = launch_build_clipped_table(cumulative, excess, table, stream))
        return status;
    return launch_apply_table(luma, table, equalized, height * width, stream);
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

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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
    const int height = 18, width = 64;
    Array<uchar3, uint8_t> colors(height * width);
    Array<int> luma(height * width), counts(256), clipped(256), excess(1), cumulative(256), table(256),
        equalized(height * width);
    const int clip_limit = 8;
    for (size_t i = 0; i < colors.count; ++i) colors.host[i] = pcg(0x2370168f + i) % 256;
    colors.upload();
    CUDA_CHECK(launch_contrast_limited_equalization(colors.device, luma.device, clip_limit, counts.device,
                                                    clipped.device, excess.device, cumulative.device,
                                                    table.device, equalized.device, height, width));
    print_output("luma", luma);
    print_output("counts", counts);
    print_output("clipped", clipped);
    excess.download();
    std::printf("excess: %d\n", excess.host[0]);
    print_output("cumulative", cumulative);
    print_output("table", table);
    print_output("equalized", equalized);
    return 0;
}
