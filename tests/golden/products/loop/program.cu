#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_TAPS = 15;

// Low-pass filter that keeps one sample of several.
__global__ void filter_and_decimate(const float* __restrict__ x, const float* __restrict__ taps, int factor,
                                    float* __restrict__ y, int length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;

    float total = 0.0f;
    const int row_start = i * factor;
    for (int k = 0; k < NUM_TAPS; ++k) {
        total += taps[k] * x[row_start + k];
    }
    y[i] = total;
}

cudaError_t launch_filter_and_decimate(const float* x, const float* taps, int factor, float* y, int length,
                                       cudaStream_t stream = nullptr) {
    if (length == 0) return cudaSuccess;
    if (factor < 1) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (length + block - 1) / block;
    filter_and_decimate<<<grid, block, 0, stream>>>(x, taps, factor, y, length);
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
    const int length = 503;
    Array<float> x(4 * length + 15), taps(15), y(length);
    const int factor = 4;
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(taps, 0x9c9df0a2, -0.2, 0.5);
    CUDA_CHECK(launch_filter_and_decimate(x.device, taps.device, factor, y.device, length));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
