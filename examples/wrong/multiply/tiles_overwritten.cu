#include <cuda_runtime.h>
#include <climits>
#include <cstdint>

constexpr int TILE = 16;

// c = a b, one tile of c per block.
// Blocks of 256 threads, one per element.
__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                         int inner, int columns) {
    const int i = blockIdx.y;
    const int j = blockIdx.x;
    const int row = threadIdx.y;
    const int column = threadIdx.x;
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE];

    float total = 0.0f;
    for (int k = 0; k < inner / TILE; ++k) {
        left[row][column] = a[(i * TILE + row) * inner + k * TILE + column];
        right[row][column] = b[(k * TILE + row) * columns + j * TILE + column];
        __syncthreads();
        float sum = 0.0f;
        for (int k2 = 0; k2 < TILE; ++k2) {
            sum = fmaf(left[row][k2], right[k2][column], sum);
        }
        total += sum;  //! barrier: the next tiles come while threads still read these
    }
    c[(i * TILE + row) * columns + j * TILE + column] = total;
}

cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns,
                            cudaStream_t stream = nullptr) {
    if (rows <= 0 || columns <= 0) return cudaSuccess;
    if (int64_t(rows) * inner > INT_MAX || int64_t(inner) * columns > INT_MAX ||
        int64_t(rows) * columns > INT_MAX || rows % TILE != 0 || columns % TILE != 0)
        return cudaErrorInvalidValue;
    const dim3 block(TILE, TILE);
    const dim3 grid(columns / TILE, rows / TILE);
    multiply<<<grid, block, 0, stream>>>(a, b, c, inner, columns);
    return cudaGetLastError();
}
