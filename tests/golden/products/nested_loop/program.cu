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

// Sums the total profit of all assets from the best day to buy and the best later day to sell.
__global__ void asset_profit(const float* __restrict__ prices, float* total_profit, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float thread_total = 0.0f;
    if (i < n) {
        float profit = 0.0f;
        for (int sold = 1; sold < 16; ++sold) {
            const float today = prices[size_t(sold) * n + i];
            for (int bought = 0; bought < sold; ++bought) {
                profit = fmaxf(profit, today - prices[size_t(bought) * n + i]);
            }
        }
        thread_total = profit;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(&total_profit[0], block_total);
}

cudaError_t launch_asset_profit(const float* prices, float* total_profit, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    asset_profit<<<grid, block, 0, stream>>>(prices, total_profit, n);
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
    const int n = 1000, days = 16;
    Array<float> prices(days * n), total_profit(1);
    fill_uniform(prices, 0x2370168f, 20.0, 120.0);
    CUDA_CHECK(launch_asset_profit(prices.device, total_profit.device, n));
    total_profit.download();
    double sum = 0.0;
    for (size_t i = 0; i < total_profit.count; ++i) sum += total_profit.host[i];
    std::printf("total_profit: first %g, last %g, sum %.9g\n", total_profit.host[0],
                total_profit.host[total_profit.count - 1], sum);
    return 0;
}
