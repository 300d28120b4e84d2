#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Evidence for Fisher's combined test.
__device__ float fisher_evidence(float measurement, float shape, float scale) {
    const float cumulative = 1.0f - expf(-powf(measurement / scale, shape));
    const float p_value = 2.0f * fminf(cumulative, 1.0f - cumulative);
    return -2.0f * logf(fmaxf(p_value, 0.001f));
}

// Compute the evidence of each observation for Fisher's combined test. The p-value is computed on both sides.
__global__ void observation_divergence(const float* __restrict__ measurements, float shape, float scale,
                                       float* __restrict__ divergences, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float measurement = measurements[i];
    const float divergence = fisher_evidence(measurement, shape, scale);
    divergences[i] = divergence;
}

cudaError_t launch_observation_divergence(const float* measurements, float shape, float scale,
                                          float* divergences, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    observation_divergence<<<grid, block, 0, stream>>>(measurements, shape, scale, divergences, n);
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
    Array<float> measurements(n), divergences(n);
    const float shape = 1.9177015f, scale = 1.161516f;
    fill_uniform(measurements, 0x2370168f, 0.2, 8.0);
    CUDA_CHECK(launch_observation_divergence(measurements.device, shape, scale, divergences.device, n));
    divergences.download();
    double sum = 0.0;
    for (size_t i = 0; i < divergences.count; ++i) sum += divergences.host[i];
    std::printf("divergences: first %g, last %g, sum %.9g\n", divergences.host[0],
                divergences.host[divergences.count - 1], sum);
    return 0;
}
