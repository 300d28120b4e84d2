#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Sum of the values of a warp, returned to all of its threads.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of each of the values over a block, returned to its first thread.
__device__ inline void block_reduce_sums(float (&values)[3]) {
    __shared__ float partial[3][32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        values[k] = warp_sum(values[k]);
        if (lane == 0) partial[k][warp] = values[k];
    }
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        values[k] = warp_sum(lane < blockDim.x / 32 ? partial[k][lane] : 0.0f);
    }
}

// Add the dot products x.y, x.x and y.y to sums, in this order; the cosine similarity of two vectors follows
// from them.
__global__ void cosine_terms(const float* __restrict__ x, const float* __restrict__ y, float* sums,
                             int count) {
    float thread_sums_0 = 0.0f;
    float thread_sums_1 = 0.0f;
    float thread_sums_2 = 0.0f;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(count);
         i += gridDim.x * blockDim.x) {
        thread_sums_0 += x[i] * y[i];
        thread_sums_1 += x[i] * x[i];
        thread_sums_2 += y[i] * y[i];
    }

    // One atomic per block for each total: one per thread would serialize on the same addresses.
    float block_sums[3] = {thread_sums_0, thread_sums_1, thread_sums_2};
    block_reduce_sums(block_sums);
    if (threadIdx.x == 0) {
        atomicAdd(sums, block_sums[0]);
        atomicAdd(&sums[1], block_sums[1]);
        atomicAdd(&sums[2], block_sums[2]);
    }
}

cudaError_t launch_cosine_terms(const float* x, const float* y, float* sums, int count,
                                cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // About 1,024 blocks keep a GPU busy: their threads stride over the other elements.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    cosine_terms<<<grid, block, 0, stream>>>(x, y, sums, count);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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
    const int count = 500;
    Array<float> x(count), y(count), sums(3);
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(y, 0x9c9df0a2, -0.5, 1.5);
    CUDA_CHECK(launch_cosine_terms(x.device, y.device, sums.device, count));
    sums.download();
    double sum = 0.0;
    for (size_t i = 0; i < sums.count; ++i) sum += sums.host[i];
    std::printf("sums: first %g, last %g, sum %.9g\n", sums.host[0], sums.host[sums.count - 1], sum);
    return 0;
}
