#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

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
    const int n = 1000;
    Array<float> values(n), gradients(n), bias(n), updates(n);
    const int step = random_integer(3, 0, 5, 41);
    const int num_steps = random_integer(4, 0, 50, 101);
    const float start = random_uniform(5, 0, 0.5, 1.0);
    const float end = random_uniform(6, 0, 0.05, 0.3);
    const float warmup = random_uniform(7, 0, 0.15, 0.4);
    for (size_t i = 0; i < values.count; ++i) {
        values.host[i] = random_uniform(0, i, -1.0, 1.0);
        gradients.host[i] = random_uniform(1, i, -1.0, 1.0);
        bias.host[i] = random_uniform(2, i, 0.1, 1.0);
    }
    for (auto* array : {&values, &gradients, &bias, &updates}) array->upload();
    CUDA_CHECK(launch_schedule(values.device, gradients.device, bias.device, step, num_steps, start, end,
                               warmup, updates.device, n));
    updates.download();
    print_output("updates", updates.host, updates.count);
    return EXIT_SUCCESS;
}
