#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ float lut[16];

// Function from a table of 16 entries, linear between entries.
// Precondition: no element of phases is negative.
__global__ void lookup(const float* __restrict__ phases, float* __restrict__ levels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float phase = phases[i];
    const float u = phase * 15.0f;
    const int cell = min(int(u), 14);
    const float t = u - float(cell);
    const float before = lut[cell];
    const float after = lut[cell + 1];
    const float level = (1.0f - t) * before + t * after;
    levels[i] = level;
}

cudaError_t launch_lookup(const float* phases, float* levels, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    lookup<<<grid, block, 0, stream>>>(phases, levels, n);
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
    const int n = 1000;
    Array<float> phases(n), levels(n), lut_(16);
    fill_uniform(phases, 0x9c9df0a2, 0.0, 1.0);
    fill_uniform(lut_, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(lut, lut_.host, sizeof(lut)));
    CUDA_CHECK(launch_lookup(phases.device, levels.device, n));
    levels.download();
    double sum = 0.0;
    for (size_t i = 0; i < levels.count; ++i) sum += levels.host[i];
    std::printf("levels: first %g, last %g, sum %.9g\n", levels.host[0], levels.host[levels.count - 1], sum);
    return 0;
}
