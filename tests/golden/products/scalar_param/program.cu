#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float THRESHOLD = -5.6f;

// Compressor gain.
__global__ void compute_gains(const float* __restrict__ levels, float ratio, float makeup,
                              float* __restrict__ gains, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float excess = levels[i] - THRESHOLD;
    float change = 0.0f;
    if (excess > 0.0f) {
        change = excess * (1.0f / ratio - 1.0f);
    }
    const float gain = expf(0.115129f * (change + makeup));
    gains[i] = gain;
}

cudaError_t launch_compute_gains(const float* levels, float ratio, float makeup, float* gains, int n,
                                 cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_gains<<<grid, block, 0, stream>>>(levels, ratio, makeup, gains, n);
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
    const int n = 1000;
    Array<float> levels(n), gains(n);
    const float ratio = 3.537932f, makeup = 0.24227393f;
    fill_uniform(levels, 0x2370168f, -40.0, 0.0);
    CUDA_CHECK(launch_compute_gains(levels.device, ratio, makeup, gains.device, n));
    gains.download();
    double sum = 0.0;
    for (size_t i = 0; i < gains.count; ++i) sum += gains.host[i];
    std::printf("gains: first %g, last %g, sum %.9g\n", gains.host[0], gains.host[gains.count - 1], sum);
    return 0;
}
