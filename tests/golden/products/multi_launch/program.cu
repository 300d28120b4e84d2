#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int GRAY_LEVELS = 256;

// Compute the luma of 8-bit colors by the weights of Rec. 601, rounded to multiples of 1/256.
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
// Precondition: no element of luma is negative.
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

// Compute the new level of each level, which makes the cumulative histogram linear; counts above clip_limit
// are spread over all levels, and the first get the remainder. Level 0 maps to 0.
__global__ void build_table(const int* __restrict__ counts, int clip_limit, int* __restrict__ table) {
    const int level = threadIdx.x;

    int num_pixels = 0;
    int cumulative = 0;
    int excess = 0;
    for (int k = 0; k < GRAY_LEVELS; ++k) {
        const int count = counts[k];
        num_pixels += count;
        excess += max(count - clip_limit, 0);
        if (k <= level) {
            cumulative += min(count, clip_limit);
        }
    }
    const int share = excess / GRAY_LEVELS;
    const int remainder = excess % GRAY_LEVELS;
    cumulative += (level + 1) * share + min(level + 1, remainder);
    const int darkest = min(counts[0], clip_limit) + share + min(1, remainder);
    const int64_t brighter = int64_t(max(num_pixels - darkest, 1));
    // the product needs 64 bits for images of millions of pixels
    table[level] = int(int64_t(cumulative - darkest) * int64_t(GRAY_LEVELS - 1) / brighter);
}

cudaError_t launch_build_table(const int* counts, int clip_limit, int* table, cudaStream_t stream) {
    constexpr unsigned block = GRAY_LEVELS;
    constexpr unsigned grid = 1;
    build_table<<<grid, block, 0, stream>>>(counts, clip_limit, table);
    return cudaGetLastError();
}

// Look up the new level of each pixel.
// Precondition: no element of luma is negative.
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
                                                 int* table, int* equalized, int height, int width,
                                                 cudaStream_t stream = nullptr) {
    if (height < 0 || width < 0 || int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    if (const cudaError_t status = cudaMemsetAsync(counts, 0, GRAY_LEVELS * sizeof(*counts), stream))
        return status;
    if (const cudaError_t status = launch_compute_luma(colors, luma, height * width, stream)) return status;
    if (const cudaError_t status = launch_count_levels(luma, counts, height * width, stream)) return status;
    if (const cudaError_t status = launch_build_table(counts, clip_limit, table, stream)) return status;
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
    Array<int> luma(height * width), counts(256), table(256), equalized(height * width);
    const int clip_limit = 8;
    for (size_t i = 0; i < colors.count; ++i) colors.host[i] = pcg(0x2370168f + i) % 256;
    colors.upload();
    CUDA_CHECK(launch_contrast_limited_equalization(colors.device, luma.device, clip_limit, counts.device,
                                                    table.device, equalized.device, height, width));
    print_output("luma", luma);
    print_output("counts", counts);
    print_output("table", table);
    print_output("equalized", equalized);
    return 0;
}
