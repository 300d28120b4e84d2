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

constexpr int RADIUS = 1;

// Correlate a volume with 3 filter taps along x, which is one pass of a separable filter. Beyond the border
// the volume repeats its edge values.
__global__ void smooth_along_x(const float* __restrict__ volume, const float* __restrict__ taps,
                               float* __restrict__ smoothed, int nx, int ny, int nz) {
    const int i = blockIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    float total = 0.0f;
    for (int t = -RADIUS; t <= RADIUS; ++t) {
        const int v = min(max(i + t, 0), nx - 1);
        total += taps[t + RADIUS] * volume[(v * ny + j) * nz + k];
    }
    smoothed[(i * ny + j) * nz + k] = total;
}

cudaError_t launch_smooth_along_x(const float* volume, const float* taps, float* smoothed, int nx, int ny,
                                  int nz, cudaStream_t stream = nullptr) {
    if (nx <= 0 || ny <= 0 || nz <= 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, nx);
    smooth_along_x<<<grid, block, 0, stream>>>(volume, taps, smoothed, nx, ny, nz);
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
    const int nx = 18, ny = 24, nz = 32;
    Array<float> volume(nx * ny * nz), taps(3), smoothed(nx * ny * nz);
    fill_uniform(volume, 0x2370168f, 0.0, 1.0);
    fill_uniform(taps, 0x9c9df0a2, 0.1, 0.4);
    CUDA_CHECK(launch_smooth_along_x(volume.device, taps.device, smoothed.device, nx, ny, nz));
    smoothed.download();
    double sum = 0.0;
    for (size_t i = 0; i < smoothed.count; ++i) sum += smoothed.host[i];
    std::printf("smoothed: first %g, last %g, sum %.9g\n", smoothed.host[0],
                smoothed.host[smoothed.count - 1], sum);
    return 0;
}
