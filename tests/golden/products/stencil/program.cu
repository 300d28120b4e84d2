#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// compute_gradient_magnitude: Gradient magnitude.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Initialize the terrain with a crater, one thread per cell.
__global__ void initialize_crater_elevation(float rim, float rim_radius, int height, int width,
                                            float* __restrict__ elevations) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;

    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const float place_y = (float(y) + 0.5f) / float(height) - 0.5f;
        const float place_x = (float(x) + 0.5f) / float(width) - 0.5f;
        const float ring = 2.0f * (sqrtf(place_x * place_x + place_y * place_y) / rim_radius - 1.0f);
        elevations[y * width + x] = rim * expf(-ring * ring);
    }
}

cudaError_t launch_initialize_crater_elevation(float rim, float rim_radius, int height, int width,
                                               float* elevations, cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x,
                    std::min<unsigned>((height + block.y - 1) / block.y, 65535));
    initialize_crater_elevation<<<grid, block, 0, stream>>>(rim, rim_radius, height, width, elevations);
    return cudaGetLastError();
}

// Compute the gradient magnitude from the slope by central differences. Indices are clamped at the border.
__global__ void compute_steepness_of_slope(const float* __restrict__ elevations, float cell_size, int height,
                                           int width, float* __restrict__ steepness_values) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;

    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const float up = elevations[max(y - 1, 0) * width + x];
        const float down = elevations[min(y + 1, height - 1) * width + x];
        const int row_start = y * width;
        const float left = elevations[row_start + max(x - 1, 0)];
        const float right = elevations[row_start + min(x + 1, width - 1)];
        const float2 slope =
            make_float2((right - left) / (2.0f * cell_size), (down - up) / (2.0f * cell_size));
        steepness_values[row_start + x] = length(slope);
    }
}

cudaError_t launch_compute_steepness_of_slope(const float* elevations, float cell_size, int height, int width,
                                              float* steepness_values, cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x,
                    std::min<unsigned>((height + block.y - 1) / block.y, 65535));
    compute_steepness_of_slope<<<grid, block, 0, stream>>>(elevations, cell_size, height, width,
                                                           steepness_values);
    return cudaGetLastError();
}

cudaError_t launch_compute_gradient_magnitude(float rim, float rim_radius, int height, int width,
                                              float cell_size, float* elevations, float* steepness_values,
                                              cudaStream_t stream = nullptr) {
    if (const cudaError_t status =
            launch_initialize_crater_elevation(rim, rim_radius, height, width, elevations, stream))
        return status;
    if (const cudaError_t status =
            launch_compute_steepness_of_slope(elevations, cell_size, height, width, steepness_values, stream))
        return status;
    return cudaSuccess;
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
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int height = 32, width = 42;
    Array<float> elevations(height * width), steepness_values(height * width);
    const float rim = 2.5171347f, rim_radius = 0.2012644f, cell_size = 2.2502706f;
    CUDA_CHECK(launch_compute_gradient_magnitude(rim, rim_radius, height, width, cell_size, elevations.device,
                                                 steepness_values.device));
    print_output("elevations", elevations);
    print_output("steepness_values", steepness_values);
    return 0;
}
