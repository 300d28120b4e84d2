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

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f) : value;
}

// Sum of the best single trade over all assets. One atomic per block.
__global__ void compute_best_single_trade(const float* __restrict__ prices, int count, float* total_profit) {
    float profit = 0.0f;
    for (uint32_t asset = blockIdx.x * blockDim.x + threadIdx.x; asset < uint32_t(count);
         asset += gridDim.x * blockDim.x) {
        float best = 0.0f;
        for (int sold = 1; sold < 60; ++sold) {
            const float today = prices[size_t(sold) * count + asset];
            for (int bought = 0; bought < sold; ++bought) {
                best = fmaxf(best, today - prices[size_t(bought) * count + asset]);
            }
        }
        profit += best;
    }

    const float block_total = block_reduce_sum(profit);
    if (threadIdx.x == 0) atomicAdd(total_profit, block_total);
}

cudaError_t launch_compute_best_single_trade(const float* prices, int count, float* total_profit,
                                             cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 64;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    compute_best_single_trade<<<grid, block, 0, stream>>>(prices, count, total_profit);
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
    const int n = 1000, days = 60;
    Array<float> prices(days * n), total_profit(1);
    fill_uniform(prices, 0x2370168f, 20.0, 120.0);
    CUDA_CHECK(launch_compute_best_single_trade(prices.device, n, total_profit.device));
    total_profit.download();
    std::printf("total_profit: %.9g\n", total_profit.host[0]);
    return 0;
}
