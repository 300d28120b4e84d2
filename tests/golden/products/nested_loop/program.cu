#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_sum(float value) {
    __shared__ float partial[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int warps = blockDim.x / 32;
    value = partial[0];
    for (int warp = 1; warp < warps; ++warp) {
        value += partial[warp];
    }
    return value;
}

// Sum the total level payment of all bonds from the face value and the annuity factor, a block at a time. The
// yield is computed by bisection.
__global__ void compute_payment(const float* __restrict__ face_values,
                                const float* __restrict__ quoted_prices,
                                const float* __restrict__ coupon_rates, const int* __restrict__ period_counts,
                                float* total_payment, int count, int halvings) {
    const int block = blockIdx.x;
    const int lane = threadIdx.x;
    const int bond = block * 128 + lane;
    float payment = 0.0f;
    if (bond < count) {
        const float face_value = face_values[bond];
        const float quoted_price = quoted_prices[bond];
        const float coupon_rate = coupon_rates[bond];
        const int periods = period_counts[bond];
        float low = 0.0001f;
        float high = 0.5f;
        float factor;
        for (int iteration = 0; iteration < halvings; ++iteration) {
            const float middle = 0.5f * (low + high);
            float value = 0.0f;
            factor = 1.0f / (1.0f + middle);
            float present = 1.0f;
            for (int period = 0; period < periods; ++period) {
                present *= factor;
                value += 100.0f * coupon_rate * present;
            }
            if (value + 100.0f * present > quoted_price) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const float yield_rate = 0.5f * (low + high);
        float annuity = 0.0f;
        factor = 1.0f / (1.0f + yield_rate);
        float other_present = 1.0f;
        for (int period = 0; period < periods; ++period) {
            other_present *= factor;
            annuity += other_present;
        }
        payment = face_value / fmaxf(annuity, 0.5f);
    }
    const float block_total = block_sum(payment);
    if (lane == 0) atomicAdd(&total_payment[0], block_total);
}

cudaError_t launch_compute_payment(const float* face_values, const float* quoted_prices,
                                   const float* coupon_rates, const int* period_counts, float* total_payment,
                                   int count, int halvings, int count_of_blocks,
                                   cudaStream_t stream = nullptr) {
    if (count_of_blocks == 0) return cudaSuccess;
    // The kernel counts on blocks of this size.
    constexpr unsigned block = 128;
    const unsigned grid = count_of_blocks;
    compute_payment<<<grid, block, 0, stream>>>(face_values, quoted_prices, coupon_rates, period_counts,
                                                total_payment, count, halvings);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float> face_values(n), quoted_prices(n), coupon_rates(n), total_payment(1);
    Array<int> period_counts(n);
    const int halvings = 23;
    fill_uniform(face_values, 0x2370168f, 50.0, 150.0);
    fill_uniform(quoted_prices, 0x9c9df0a2, 80.0, 120.0);
    fill_uniform(coupon_rates, 0x8a2e10de, 0.01, 0.08);
    fill_integers(period_counts, 0x86a00a5c, 2, 31);
    CUDA_CHECK(launch_compute_payment(face_values.device, quoted_prices.device, coupon_rates.device,
                                      period_counts.device, total_payment.device, n, halvings,
                                      (n + 127) / 128));
    total_payment.download();
    double sum = 0.0;
    for (size_t i = 0; i < total_payment.count; ++i) sum += total_payment.host[i];
    std::printf("total_payment: first %g, last %g, sum %.9g\n", total_payment.host[0],
                total_payment.host[total_payment.count - 1], sum);
    return 0;
}
