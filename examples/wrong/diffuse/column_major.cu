#include <cuda_runtime.h>
#include <climits>
#include <cstdint>

// Advance the temperature of every cell by one explicit step of the heat equation.
//
// The plate is insulated: a cell at the border exchanges no heat with the outside.
__global__ void diffuse(const float* __restrict__ temperature, const float* __restrict__ diffusivity,
                        float* __restrict__ next_temperature, int rows, int columns, float time_step) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;

    // Insulation: outside the plate, see the border cell itself.
    const int above = max(row - 1, 0);
    const int below = min(row + 1, rows - 1);
    const int left = max(column - 1, 0);
    const int right = min(column + 1, columns - 1);

    const int row_start = row * columns;
    const int index = column * rows + row;  //! layout: elements of a row are neighbours in memory, not those of a column
    const float centre = temperature[index];
    const float laplacian = temperature[above * columns + column] + temperature[below * columns + column] +
                            temperature[row_start + left] + temperature[row_start + right] - 4.0f * centre;
    next_temperature[index] = centre + time_step * diffusivity[index] * laplacian;
}

cudaError_t launch_diffuse(const float* temperature, const float* diffusivity, float* next_temperature,
                           int rows, int columns, float time_step, cudaStream_t stream = nullptr) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    if (int64_t(rows) * columns > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    diffuse<<<grid, block, 0, stream>>>(temperature, diffusivity, next_temperature, rows, columns,
                                        time_step);
    return cudaGetLastError();
}
