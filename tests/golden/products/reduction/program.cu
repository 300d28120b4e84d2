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

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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
    Array<float> samples(8 * n), factors(n);
    Array<float3, float> balance_triples(n);
    const float offset = -0.459621f;
    fill_uniform(samples, 0x2370168f, -1.0, 1.0);
    fill_uniform(factors, 0x9c9df0a2, 0.2, 5.0);
    CUDA_CHECK(launch_compensated_sum(samples.device, factors.device, offset, balance_triples.device, n));
    balance_triples.download();
    double sum = 0.0;
    for (size_t i = 0; i < balance_triples.count; ++i) sum += balance_triples.host[i];
    std::printf("balance_triples: first %g, last %g, sum %.9g\n", balance_triples.host[0],
                balance_triples.host[balance_triples.count - 1], sum);
    return 0;
}
