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

// Mean and variance of each row in one pass, by Welford's update.
__global__ void row_mean_and_variance(const float* __restrict__ x, int count, float* __restrict__ means,
                                      float* __restrict__ variance, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    float mean = 0.0f;
    float m2 = 0.0f;
    const int row_start = row * count;
    for (int j = 0; j < count; ++j) {
        const float delta = x[row_start + j] - mean;
        mean += delta / float(j + 1);
        m2 += delta * (x[row_start + j] - mean);
    }
    means[row] = mean;
    variance[row] = m2 / float(count);
}

cudaError_t launch_row_mean_and_variance(const float* x, int count, float* means, float* variance, int rows,
                                         cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    if (int64_t(rows) * count > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (rows + block - 1) / block;
    row_mean_and_variance<<<grid, block, 0, stream>>>(x, count, means, variance, rows);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int rows = 9, cols = 128;
    Array<float> x(rows * cols), means(rows), variance(rows);
    fill_uniform(x, 0x2370168f, -1.0, 4.0);
    CUDA_CHECK(launch_row_mean_and_variance(x.device, cols, means.device, variance.device, rows));
    print_output("means", means);
    print_output("variance", variance);
    return 0;
}
