#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_max(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_max(partial[lane < blockDim.x / 32 ? lane : 0]) : value;
}

// CUDA has no atomic max of floating-point numbers. The bits of positive ones are in their order, as signed
// integers; those of negative ones in the opposite order, as unsigned ones.
__device__ inline void max_atomically(float* address, float v) {
    const float seen = *static_cast<volatile float*>(address);
    if (!(v > seen)) return;  // as most do not, and NaN
    if (signbit(v)) {
        atomicMin(reinterpret_cast<unsigned int*>(address), __float_as_uint(v));
    } else {
        atomicMax(reinterpret_cast<int*>(address), __float_as_int(v));
    }
}

// Find the largest median of all rows by counting how many features are smaller.
__global__ void rank_median(const float* __restrict__ features, float* max_peak, int n) {
    float thread_largest = -INFINITY;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(n); i += gridDim.x * blockDim.x) {
        float peak = 0.0f;
        for (int j = 0; j < 16; ++j) {
            const float candidate = features[size_t(j) * n + i];
            int smaller = 0;
            for (int m = 0; m < 16; ++m) {
                const float neighbor = features[size_t(m) * n + i];
                if (neighbor < candidate || (neighbor == candidate && m < j)) {
                    smaller += 1;
                }
            }
            if (smaller == 8) {
                peak = candidate;
                break;
            }
        }
        thread_largest = fmaxf(thread_largest, peak);
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_largest = block_reduce_max(thread_largest);
    if (threadIdx.x == 0) max_atomically(max_peak, block_largest);
}

cudaError_t launch_rank_median(const float* features, float* max_peak, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    rank_median<<<grid, block, 0, stream>>>(features, max_peak, n);
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
    const int n = 1000, features_size = 16;
    Array<float> features(features_size * n), max_peak(1);
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    for (size_t i = 0; i < max_peak.count; ++i) max_peak.host[i] = -3.4028235e38f;
    max_peak.upload();
    CUDA_CHECK(launch_rank_median(features.device, max_peak.device, n));
    max_peak.download();
    std::printf("max_peak: %.9g\n", max_peak.host[0]);
    return 0;
}
