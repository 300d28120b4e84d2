#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

constexpr int HALF_TAP_COUNT = 16;

// Filled before the launch (cudaMemcpyToSymbol).
__constant__ float h[HALF_TAP_COUNT];

// Apply a linear-phase FIR filter of odd length, given by its center tap and the taps on one side of it.
// Beyond its ends the signal repeats its end values.
__global__ void linear_phase_fir(const float* __restrict__ x, float* __restrict__ y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int last = n - 1;
    float total = h[0] * x[i];
    for (int k = 1; k < HALF_TAP_COUNT; ++k) {
        total += h[k] * (x[max(i - k, 0)] + x[min(i + k, last)]);
    }
    y[i] = total;
}

cudaError_t launch_linear_phase_fir(const float* x, float* y, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    linear_phase_fir<<<grid, block, 0, stream>>>(x, y, n);
    return cudaGetLastError();
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
    const int n = 1000;
    Array<float> x(n), y(n), h_(16);
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(h_, 0x9c9df0a2, -0.5, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(h, h_.host, sizeof(h)));
    CUDA_CHECK(launch_linear_phase_fir(x.device, y.device, n));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
