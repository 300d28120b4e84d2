#include <cuda_runtime.h>
#include <algorithm>
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

// Compute the outflow of each cell through pipes to the four neighbors. Beyond the border the nearest element
// counts.
__global__ void compute_outflow(cudaTextureObject_t elevations, cudaTextureObject_t water_depths, float dt,
                                int rows, int cols, float* __restrict__ outflows) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;

    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
        const float elevation = tex2D<float>(elevations, col, row);
        const float water_depth = tex2D<float>(water_depths, col, row);
        const float surface = elevation + water_depth;
        const float up = tex2D<float>(elevations, col, max(row - 1, 0));
        const float down = tex2D<float>(elevations, col, min(row + 1, rows - 1));
        const float left = tex2D<float>(elevations, max(col - 1, 0), row);
        const float right = tex2D<float>(elevations, min(col + 1, cols - 1), row);
        const float up_water_depth = tex2D<float>(water_depths, col, max(row - 1, 0));
        const float down_water_depth = tex2D<float>(water_depths, col, min(row + 1, rows - 1));
        const float left_water_depth = tex2D<float>(water_depths, max(col - 1, 0), row);
        const float right_water_depth = tex2D<float>(water_depths, min(col + 1, cols - 1), row);
        const float outflow = fminf(
            9.81f * dt *
                (fmaxf(surface - up - up_water_depth, 0.0f) + fmaxf(surface - down - down_water_depth, 0.0f) +
                 fmaxf(surface - left - left_water_depth, 0.0f) +
                 fmaxf(surface - right - right_water_depth, 0.0f)),
            water_depth);
        outflows[row * cols + col] = outflow;
    }
}

cudaError_t launch_compute_outflow(cudaTextureObject_t elevations, cudaTextureObject_t water_depths, float dt,
                                   int rows, int cols, float* outflows, cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x,
                    std::min<unsigned>((rows + block.y - 1) / block.y, 65535));
    compute_outflow<<<grid, block, 0, stream>>>(elevations, water_depths, dt, rows, cols, outflows);
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
    const int rows = 28, cols = 37;
    Array<float> elevations(rows * cols), water_depths(rows * cols), outflows(rows * cols);
    const float dt = 0.0017672008f;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    fill_uniform(water_depths, 0x9c9df0a2, 0.0, 2.0);
    const cudaChannelFormatDesc elevations_format = cudaCreateChannelDesc<float>();
    cudaArray_t elevations_texels;
    CUDA_CHECK(cudaMallocArray(&elevations_texels, &elevations_format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(elevations_texels, 0, 0, elevations.host, cols * sizeof(float),
                                   cols * sizeof(float), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc elevations_resource{};
    elevations_resource.resType = cudaResourceTypeArray;
    elevations_resource.res.array.array = elevations_texels;
    cudaTextureDesc elevations_sampling{};
    elevations_sampling.addressMode[0] = elevations_sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t elevations_texture;
    CUDA_CHECK(
        cudaCreateTextureObject(&elevations_texture, &elevations_resource, &elevations_sampling, nullptr));
    const cudaChannelFormatDesc water_depths_format = cudaCreateChannelDesc<float>();
    cudaArray_t water_depths_texels;
    CUDA_CHECK(cudaMallocArray(&water_depths_texels, &water_depths_format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(water_depths_texels, 0, 0, water_depths.host, cols * sizeof(float),
                                   cols * sizeof(float), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc water_depths_resource{};
    water_depths_resource.resType = cudaResourceTypeArray;
    water_depths_resource.res.array.array = water_depths_texels;
    cudaTextureDesc water_depths_sampling{};
    water_depths_sampling.addressMode[0] = water_depths_sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t water_depths_texture;
    CUDA_CHECK(cudaCreateTextureObject(&water_depths_texture, &water_depths_resource, &water_depths_sampling,
                                       nullptr));
    CUDA_CHECK(
        launch_compute_outflow(elevations_texture, water_depths_texture, dt, rows, cols, outflows.device));
    outflows.download();
    double sum = 0.0;
    for (size_t i = 0; i < outflows.count; ++i) sum += outflows.host[i];
    std::printf("outflows: first %g, last %g, sum %.9g\n", outflows.host[0],
                outflows.host[outflows.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(elevations_texture));
    CUDA_CHECK(cudaFreeArray(elevations_texels));
    CUDA_CHECK(cudaDestroyTextureObject(water_depths_texture));
    CUDA_CHECK(cudaFreeArray(water_depths_texels));
    return 0;
}
