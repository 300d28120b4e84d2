#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float SQRT_HALF = 0.70710677f;

// Discount factor by continuous compounding.
__device__ float continuous_discount(float maturity, float rate) { return expf(-rate * maturity); }

// Argument d1 from log-moneyness and deviation.
__device__ float forward_d1(float log_moneyness, float deviation) {
    return log_moneyness / deviation + 0.5f * deviation;
}

// Argument d2 from d1 and the deviation.
__device__ float shifted_d2(float log_moneyness, float deviation) {
    const float d1 = forward_d1(log_moneyness, deviation);
    return d1 - deviation;
}

// Distribution function of the standard normal distribution.
__device__ float normal_cdf(float x) { return 0.5f * (1.0f + erff(x * SQRT_HALF)); }

// Compute the histogram of the call price of all options for a fixed amount of cash. For this, the argument
// d1 is computed from log-moneyness and deviation. Each value is shared between the two nearest of 9 bins
// from 0 to 20.
__global__ void soft_digital_call_histogram(const float* __restrict__ maturities,
                                            const float* __restrict__ log_moneyness_values,
                                            const float* __restrict__ deviations, float rate, float cash,
                                            float* weights, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ float shared_weights[9];
    if (threadIdx.x < 9) shared_weights[threadIdx.x] = 0.0f;
    __syncthreads();

    const int contract = blockIdx.x * blockDim.x + threadIdx.x;
    if (contract < n) {
        const float maturity = maturities[contract];
        const float discount = continuous_discount(maturity, rate);
        const float log_moneyness = log_moneyness_values[contract];
        const float deviation = deviations[contract];
        const float d2 = shifted_d2(log_moneyness, deviation);
        const float call_price = cash * discount * normal_cdf(d2);
        const float place = fminf(fmaxf(0.0f, call_price * 0.4f), 8.0f);
        const int low_bin = min(int(place), 7);
        const float upper_share = place - float(low_bin);
        atomicAdd(&shared_weights[low_bin], 1.0f - upper_share);
        atomicAdd(&shared_weights[low_bin + 1], upper_share);
    }

    __syncthreads();
    if (threadIdx.x < 9) atomicAdd(&weights[threadIdx.x], shared_weights[threadIdx.x]);
}

cudaError_t launch_soft_digital_call_histogram(const float* maturities, const float* log_moneyness_values,
                                               const float* deviations, float rate, float cash,
                                               float* weights, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    soft_digital_call_histogram<<<grid, block, 0, stream>>>(maturities, log_moneyness_values, deviations,
                                                            rate, cash, weights, n);
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
    const int n = 1000, num_bins = 9;
    Array<float> maturities(n), log_moneyness_values(n), deviations(n), weights(num_bins);
    const float rate = 0.039924845f, cash = 9.688515f;
    fill_uniform(maturities, 0x2370168f, 0.1, 2.0);
    fill_uniform(log_moneyness_values, 0x9c9df0a2, -0.7, 0.7);
    fill_uniform(deviations, 0x8a2e10de, 0.05, 0.8);
    CUDA_CHECK(launch_soft_digital_call_histogram(maturities.device, log_moneyness_values.device,
                                                  deviations.device, rate, cash, weights.device, n));
    weights.download();
    double sum = 0.0;
    for (size_t i = 0; i < weights.count; ++i) sum += weights.host[i];
    std::printf("weights: first %g, last %g, sum %.9g\n", weights.host[0], weights.host[weights.count - 1],
                sum);
    return 0;
}
