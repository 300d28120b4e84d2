#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Compute the steepness of each cell as the length of the slope, with the slope by central differences.
// Neighbors outside the grid are clamped to its border.
__global__ void steepness_of_slope(const float* __restrict__ elevations, float* __restrict__ steepness_values,
                                   float cell_size, int ny, int nx) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const float south = elevations[max(j - 1, 0) * nx + i];
    const float north = elevations[min(j + 1, ny - 1) * nx + i];
    const int row_start = j * nx;
    const float west = elevations[row_start + max(i - 1, 0)];
    const float east = elevations[row_start + min(i + 1, nx - 1)];
    const float2 slope =
        make_float2((east - west) / (2.0f * cell_size), (north - south) / (2.0f * cell_size));
    const float steepness = length(slope);
    steepness_values[row_start + i] = steepness;
}

cudaError_t launch_steepness_of_slope(const float* elevations, float* steepness_values, float cell_size,
                                      int ny, int nx, cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    steepness_of_slope<<<grid, block, 0, stream>>>(elevations, steepness_values, cell_size, ny, nx);
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
    const int ny = 17, nx = 61;
    Array<float> elevations(ny * nx), steepness_values(ny * nx);
    const float cell_size = 1.161516f;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    CUDA_CHECK(launch_steepness_of_slope(elevations.device, steepness_values.device, cell_size, ny, nx));
    steepness_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < steepness_values.count; ++i) sum += steepness_values.host[i];
    std::printf("steepness_values: first %g, last %g, sum %.9g\n", steepness_values.host[0],
                steepness_values.host[steepness_values.count - 1], sum);
    return 0;
}
