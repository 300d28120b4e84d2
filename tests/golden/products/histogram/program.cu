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

// Counts of each bin, merged from 4 copies of a histogram.
__global__ void merged_copies(const int* __restrict__ private_counts, int* __restrict__ merged_counts,
                              int height, int width) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= height * width) return;

    int total = 0;
    for (int c = 0; c < 4; ++c) {
        const int count = private_counts[size_t(index) * 4 + c];
        total += count;
    }
    merged_counts[index] = total;
}

cudaError_t launch_merged_copies(const int* private_counts, int* merged_counts, int height, int width,
                                 cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(height) * width;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    merged_copies<<<grid, block, 0, stream>>>(private_counts, merged_counts, height, width);
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
    const int height = 125, width = 8;
    Array<int> private_counts(height * width * 4), merged_counts(height * width);
    for (size_t i = 0; i < private_counts.count; ++i) private_counts.host[i] = pcg(0x2370168f + i) % 40;
    private_counts.upload();
    CUDA_CHECK(launch_merged_copies(private_counts.device, merged_counts.device, height, width));
    merged_counts.download();
    double sum = 0.0;
    for (size_t i = 0; i < merged_counts.count; ++i) sum += merged_counts.host[i];
    std::printf("merged_counts: first %g, last %g, sum %.9g\n", double(merged_counts.host[0]),
                double(merged_counts.host[merged_counts.count - 1]), sum);
    return 0;
}
