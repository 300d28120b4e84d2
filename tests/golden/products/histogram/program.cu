#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_BINS = 32;

// Compute the histogram of the gray levels of an image by an atomic addition per pixel.
// Precondition: elements of image lie in [0, 32).
__global__ void count_levels(const int* __restrict__ image, int* counts, int count) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_counts[NUM_BINS];
    if (threadIdx.x < NUM_BINS) shared_counts[threadIdx.x] = 0;
    __syncthreads();

    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < uint32_t(count);
         index += gridDim.x * blockDim.x) {
        atomicAdd(&shared_counts[image[index]], 1);
    }

    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&counts[threadIdx.x], shared_counts[threadIdx.x]);
}

cudaError_t launch_count_levels(const int* image, int* counts, int count, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    count_levels<<<grid, block, 0, stream>>>(image, counts, count);
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
    const int height = 18, width = 64;
    Array<int> image(height * width), counts(32);
    for (size_t i = 0; i < image.count; ++i) image.host[i] = pcg(0x2370168f + i) % 32;
    image.upload();
    CUDA_CHECK(launch_count_levels(image.device, counts.device, height * width));
    counts.download();
    double sum = 0.0;
    for (size_t i = 0; i < counts.count; ++i) sum += counts.host[i];
    std::printf("counts: first %g, last %g, sum %.9g\n", double(counts.host[0]),
                double(counts.host[counts.count - 1]), sum);
    return 0;
}
