#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Growth of a unit investment under a series of returns.
__global__ void cumulative_growth(const float* __restrict__ returns, int length, float* __restrict__ growth,
                                  int rows) {
    const int series = blockIdx.x * blockDim.x + threadIdx.x;
    if (series >= rows) return;

    float value = 1.0f;
    const size_t row_start = size_t(series) * length;
    for (int t = 0; t < length; ++t) {
        value *= 1.0f + returns[row_start + t];
        growth[row_start + t] = value;
    }
}

cudaError_t launch_cumulative_growth(const float* returns, int length, float* growth, int rows,
                                     cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (rows + block - 1) / block;
    cumulative_growth<<<grid, block, 0, stream>>>(returns, length, growth, rows);
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
    const int rows = 17, length = 100;
    Array<float> returns(rows * length), growth(rows * length);
    fill_uniform(returns, 0x2370168f, -0.05, 0.06);
    CUDA_CHECK(launch_cumulative_growth(returns.device, length, growth.device, rows));
    growth.download();
    double sum = 0.0;
    for (size_t i = 0; i < growth.count; ++i) sum += growth.host[i];
    std::printf("growth: first %g, last %g, sum %.9g\n", growth.host[0], growth.host[growth.count - 1], sum);
    return 0;
}
