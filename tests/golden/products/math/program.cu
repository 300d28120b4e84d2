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

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

// What ceil takes from each number, or its size. The value is smoothed with weights 1/4, 1/2 and 1/4. The
// smallest level of the rest in steps of 1/16, rounded, is kept for each k.
__global__ void rounding_modes(const float* __restrict__ values, const float* __restrict__ scale_share,
                               int nz, float2 scale_range, float* __restrict__ rests, int* smallest_levels,
                               int nx, int ny) {
    const int i = blockIdx.x * blockDim.z + threadIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.x + threadIdx.x;
    if (i >= nx || j >= ny || k >= nz) return;

    const int index = (i * ny + j) * nz + k;
    const float smooth_value = 0.25f * values[(i * ny + j) * nz + max(k - 1, 0)] + 0.5f * values[index] +
                               0.25f * values[(i * ny + j) * nz + min(k + 1, nz - 1)];
    const float scale = lerp(scale_range.x, scale_range.y, scale_share[index]);
    const float scaled = smooth_value * scale;
    const float whole = ceilf(scaled);
    const float rest = (scaled - whole) * (scaled - whole);
    rests[index] = rest;
    atomicMin(&smallest_levels[k], int(floorf(rest * 16.0f + 0.5f)));
}

cudaError_t launch_rounding_modes(const float* values, const float* scale_share, int nz, float2 scale_range,
                                  float* rests, int* smallest_levels, int nx, int ny,
                                  cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 4, 2);
    const dim3 grid((nx + block.z - 1) / block.z, (ny + block.y - 1) / block.y, (nz + block.x - 1) / block.x);
    rounding_modes<<<grid, block, 0, stream>>>(values, scale_share, nz, scale_range, rests, smallest_levels,
                                               nx, ny);
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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int nx = 32, ny = 4, nz = 8;
    Array<float> values(nx * ny * nz), scale_share(nx * ny * nz), rests(nx * ny * nz);
    Array<int> smallest_levels(nz);
    const float2 scale_range = make_float2(1.5687445f, 0.76479304f);
    fill_uniform(values, 0x2370168f, -6.0, 6.0);
    fill_uniform(scale_share, 0x9c9df0a2, 0.0, 1.0);
    for (size_t i = 0; i < smallest_levels.count; ++i) smallest_levels.host[i] = 1000000;
    smallest_levels.upload();
    CUDA_CHECK(launch_rounding_modes(values.device, scale_share.device, nz, scale_range, rests.device,
                                     smallest_levels.device, nx, ny));
    print_output("rests", rests);
    print_output("smallest_levels", smallest_levels);
    return 0;
}
