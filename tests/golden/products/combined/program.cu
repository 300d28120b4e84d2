#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Balance after some payments.
__device__ float remaining_balance(float face_value, float yield_rate, float payment) {
    float rest = face_value;
    for (int iteration = 0; iteration < 3; ++iteration) {
        const float interest = rest * yield_rate;
        rest = fmaxf(rest + interest - payment, 0.0f);
    }
    return rest;
}

// Compute the balance of each bond after some payments. The yield is computed as coupon over price.
__global__ void bond_balance(const float* __restrict__ face_values, const float* __restrict__ coupon_rates,
                             const float* __restrict__ quoted_prices, const float* __restrict__ payments,
                             float* __restrict__ balances, int n) {
    const int bond = blockIdx.x * blockDim.x + threadIdx.x;
    if (bond >= n) return;

    const float face_value = face_values[bond];
    const float coupon_rate = coupon_rates[bond];
    const float quoted_price = quoted_prices[bond];
    const float yield_rate = 100.0f * coupon_rate / quoted_price;
    const float payment = payments[bond];
    const float balance = remaining_balance(face_value, yield_rate, payment);
    balances[bond] = balance;
}

cudaError_t launch_bond_balance(const float* face_values, const float* coupon_rates,
                                const float* quoted_prices, const float* payments, float* balances, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    bond_balance<<<grid, block, 0, stream>>>(face_values, coupon_rates, quoted_prices, payments, balances, n);
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
    Array<float> face_values(n), coupon_rates(n), quoted_prices(n), payments(n), balances(n);
    fill_uniform(face_values, 0x2370168f, 50.0, 150.0);
    fill_uniform(coupon_rates, 0x9c9df0a2, 0.01, 0.08);
    fill_uniform(quoted_prices, 0x8a2e10de, 80.0, 120.0);
    fill_uniform(payments, 0x86a00a5c, 2.0, 20.0);
    CUDA_CHECK(launch_bond_balance(face_values.device, coupon_rates.device, quoted_prices.device,
                                   payments.device, balances.device, n));
    balances.download();
    double sum = 0.0;
    for (size_t i = 0; i < balances.count; ++i) sum += balances.host[i];
    std::printf("balances: first %g, last %g, sum %.9g\n", balances.host[0],
                balances.host[balances.count - 1], sum);
    return 0;
}
