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

// One color of stripes of 2 colors in fields of 1 cell is squared, others are scaled.
__global__ void colors(const float* __restrict__ densities, float* __restrict__ colored_values, int ny,
                       int nx) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx) return;

    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < ny; j += gridDim.y * blockDim.y) {
        const int index = j * nx + i;
        const float density = densities[index];
        const int color = i % 2;
        colored_values[index] = color == 0 ? density * density : 0.25f * density;
    }
}

cudaError_t launch_colors(const float* densities, float* colored_values, int ny, int nx,
                          cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A block is made for rows of 10: in a wider one, threads would idle.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(16, 16);
    const dim3 grid((nx + block.x - 1) / block.x, std::min<unsigned>((ny + block.y - 1) / block.y, 65535));
    colors<<<grid, block, 0, stream>>>(densities, colored_values, ny, nx);
    return cudaGetLastError();
}

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int ny = 100, nx = 10;
    Array<float> densities(ny * nx), colored_values(ny * nx);
    for (size_t i = 0; i < densities.count; ++i) densities.host[i] = random_uniform(0, i, -1.0, 1.0);
    densities.upload();
    colored_values.upload();
    CUDA_CHECK(launch_colors(densities.device, colored_values.device, ny, nx));
    colored_values.download();
    print_output("colored_values", colored_values.host, colored_values.count);
    return EXIT_SUCCESS;
}
