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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int height = 125, width = 8;
    Array<int> private_counts(height * width * 4), merged_counts(height * width);
    for (size_t i = 0; i < private_counts.count; ++i) private_counts.host[i] = random_integer(0, i, 0, 40);
    private_counts.upload();
    merged_counts.upload();
    CUDA_CHECK(launch_merged_copies(private_counts.device, merged_counts.device, height, width));
    merged_counts.download();
    print_output("merged_counts", merged_counts.host, merged_counts.count);
    return EXIT_SUCCESS;
}
