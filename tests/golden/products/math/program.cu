#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

// What ceil takes from each number, or its size. The value is smoothed with weights 1/4, 1/2 and 1/4. The
// smallest level of the rest in steps of 1/16, rounded, is kept for each k.
__global__ void rounding_modes(const float* __restrict__ values, const float* __restrict__ scale_share,
                               int nz, float2 scale_range, float* __restrict__ rests, int* smallest_levels,
                               int nx, int ny) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    for (int i = blockIdx.z * blockDim.z + threadIdx.z; i < nx; i += gridDim.z * blockDim.z) {
        const int row_start = (i * ny + j) * nz;
        const int index = row_start + k;
        const float smooth_value = 0.25f * values[row_start + max(k - 1, 0)] + 0.5f * values[index] +
                                   0.25f * values[row_start + min(k + 1, nz - 1)];
        const float scale = lerp(scale_range.x, scale_range.y, scale_share[index]);
        const float scaled = smooth_value * scale;
        const float whole = ceilf(scaled);
        const float rest = (scaled - whole) * (scaled - whole);
        rests[index] = rest;
        atomicMin(&smallest_levels[k], int(floorf(rest * 16.0f + 0.5f)));
    }
}

cudaError_t launch_rounding_modes(const float* values, const float* scale_share, int nz, float2 scale_range,
                                  float* rests, int* smallest_levels, int nx, int ny,
                                  cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // A block is made for rows of 8: in a wider one, threads would idle.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(8, 4, 8);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                    std::min<unsigned>((nx + block.z - 1) / block.z, 65535));
    rounding_modes<<<grid, block, 0, stream>>>(values, scale_share, nz, scale_range, rests, smallest_levels,
                                               nx, ny);
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
    const int nx = 32, ny = 4, nz = 8;
    Array<float> values(nx * ny * nz), scale_share(nx * ny * nz), rests(nx * ny * nz);
    Array<int> smallest_levels(nz);
    const float2 scale_range = make_float2(random_uniform(3, 0, 0.5, 3.0), random_uniform(3, 1, 0.5, 3.0));
    for (size_t i = 0; i < values.count; ++i) {
        values.host[i] = random_uniform(0, i, -6.0, 6.0);
        scale_share.host[i] = random_uniform(1, i, 0.0, 1.0);
    }
    for (size_t i = 0; i < smallest_levels.count; ++i) smallest_levels.host[i] = 1000000;
    for (auto* array : {&values, &scale_share, &rests}) array->upload();
    smallest_levels.upload();
    CUDA_CHECK(launch_rounding_modes(values.device, scale_share.device, nz, scale_range, rests.device,
                                     smallest_levels.device, nx, ny));
    rests.download();
    smallest_levels.download();
    print_output("rests", rests.host, rests.count);
    print_output("smallest_levels", smallest_levels.host, smallest_levels.count);
    return EXIT_SUCCESS;
}
