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

// One color of stripes of 2 colors in fields of 1 cell is squared, others are scaled.
__global__ void colors(const float* __restrict__ densities, float* __restrict__ colored_values, int ny,
                       int nx) {
    const int j = blockIdx.x * blockDim.y + threadIdx.y;
    const int i = blockIdx.y * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const float density = densities[j * nx + i];
    const int color = i % 2;
    colored_values[j * nx + i] = color == 0 ? density * density : 0.25f * density;
}

cudaError_t launch_colors(const float* densities, float* colored_values, int ny, int nx,
                          cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 8);
    const dim3 grid((ny + block.y - 1) / block.y, (nx + block.x - 1) / block.x);
    colors<<<grid, block, 0, stream>>>(densities, colored_values, ny, nx);
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
    const int ny = 100, nx = 10;
    Array<float> densities(ny * nx), colored_values(ny * nx);
    fill_uniform(densities, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_colors(densities.device, colored_values.device, ny, nx));
    colored_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < colored_values.count; ++i) sum += colored_values.host[i];
    std::printf("colored_values: first %g, last %g, sum %.9g\n", colored_values.host[0],
                colored_values.host[colored_values.count - 1], sum);
    return 0;
}
