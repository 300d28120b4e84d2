#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Running mean of each gradient at a scheduled rate. The update is increased by bias.
__global__ void schedule(const float* __restrict__ values, const float* __restrict__ gradients,
                         const float* __restrict__ bias, int step, int num_steps, float start, float end,
                         float warmup, float* __restrict__ updates, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float value = values[i];
    const float progress = float(step) / float(num_steps);
    const float gradient = gradients[i];
    const float factor = end + (start - end) * progress / (progress + warmup);
    updates[i] = (1.0f - factor) * value + factor * gradient + bias[i];
}

cudaError_t launch_schedule(const float* values, const float* gradients, const float* bias, int step,
                            int num_steps, float start, float end, float warmup, float* updates, int n,
                            cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    schedule<<<grid, block, 0, stream>>>(values, gradients, bias, step, num_steps, start, end, warmup,
                                         updates, n);
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
    Array<float> values(n), gradients(n), bias(n), updates(n);
    const int step = 13, num_steps = 64;
    const float start = 0.90461385f, end = 0.17609134f, warmup = 0.27697745f;
    fill_uniform(values, 0x2370168f, -1.0, 1.0);
    fill_uniform(gradients, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(bias, 0x8a2e10de, 0.1, 1.0);
    CUDA_CHECK(launch_schedule(values.device, gradients.device, bias.device, step, num_steps, start, end,
                               warmup, updates.device, n));
    updates.download();
    double sum = 0.0;
    for (size_t i = 0; i < updates.count; ++i) sum += updates.host[i];
    std::printf("updates: first %g, last %g, sum %.9g\n", updates.host[0], updates.host[updates.count - 1],
                sum);
    return 0;
}
