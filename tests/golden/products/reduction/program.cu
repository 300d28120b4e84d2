#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Mean of the distances of the samples from offset of each row, added by Kahan's method. A row's elements lie
// below each other. The balance is multiplied by factors. The result is stored with its positive part and its
// Gaussian in one vector.
__global__ void compensated_sum(const float* __restrict__ samples, const float* __restrict__ factors,
                                float offset, float3* __restrict__ balance_triples, int n) {
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (channel >= n) return;

    float total = 0.0f;
    float c = 0.0f;
    for (int j = 0; j < 8; ++j) {
        const float value = samples[size_t(j) * n + channel];
        const float corrected = fabsf(value - offset) - c;
        const float updated = total + corrected;
        c = updated - total - corrected;
        total = updated;
    }
    const float balance = factors[channel] * (total / 8.0f);
    balance_triples[channel] = make_float3(balance, fmaxf(balance, 0.0f), expf(-(balance * balance)));
}

cudaError_t launch_compensated_sum(const float* samples, const float* factors, float offset,
                                   float3* balance_triples, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compensated_sum<<<grid, block, 0, stream>>>(samples, factors, offset, balance_triples, n);
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
    Array<float> samples(8 * n), factors(n);
    Array<float3> balance_triples(n);
    const float offset = random_uniform(2, 0, -0.5, 0.5);
    for (size_t i = 0; i < samples.count; ++i) samples.host[i] = random_uniform(0, i, -1.0, 1.0);
    for (size_t i = 0; i < factors.count; ++i) factors.host[i] = random_uniform(1, i, 0.2, 5.0);
    samples.upload();
    factors.upload();
    balance_triples.upload();
    CUDA_CHECK(launch_compensated_sum(samples.device, factors.device, offset, balance_triples.device, n));
    balance_triples.download();
    print_output("balance_triples", reinterpret_cast<float*>(balance_triples.host),
                 3 * balance_triples.count);
    return EXIT_SUCCESS;
}
