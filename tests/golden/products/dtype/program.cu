#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the dot product of two columns of single-precision numbers in double precision. A thread handles
// one column.
__global__ void dot_in_double(const float* __restrict__ x, const float* __restrict__ y, int length,
                              double* __restrict__ results, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;

    double total = 0.0;
    for (int j = 0; j < length; ++j) {
        const size_t index = size_t(j) * columns + column;
        total += double(x[index]) * double(y[index]);
    }
    results[column] = total;
}

cudaError_t launch_dot_in_double(const float* x, const float* y, int length, double* results, int columns,
                                 cudaStream_t stream = nullptr) {
    if (columns <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (columns + block - 1) / block;
    dot_in_double<<<grid, block, 0, stream>>>(x, y, length, results, columns);
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

int main() {
    const int columns = 33, length = 128;
    Array<float> x(length * columns), y(length * columns);
    Array<double> results(columns);
    fill_uniform(x, 0x2370168f, -1.0, 2.0);
    fill_uniform(y, 0x9c9df0a2, 0.5, 1.5);
    CUDA_CHECK(launch_dot_in_double(x.device, y.device, length, results.device, columns));
    results.download();
    double sum = 0.0;
    for (size_t i = 0; i < results.count; ++i) sum += results.host[i];
    std::printf("results: first %g, last %g, sum %.9g\n", results.host[0], results.host[results.count - 1],
                sum);
    return 0;
}
