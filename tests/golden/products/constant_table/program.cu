#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ float entries[32];

// Function from a table of 32 entries, eased between entries. The level is multiplied by its importance.
// Precondition: no element of coordinates is negative.
__global__ void lookup(const float* __restrict__ coordinates, const float* __restrict__ importances,
                       int num_items, float* __restrict__ levels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_items) return;

    const float spot = coordinates[i] * 31.0f;
    const int cell = min(int(spot), 30);
    const float t = spot - float(cell);
    const float eased = t * t * (3.0f - 2.0f * t);
    const float before = entries[cell];
    const float after = entries[cell + 1];
    levels[i] = importances[i] * (before + eased * (after - before));
}

cudaError_t launch_lookup(const float* coordinates, const float* importances, int num_items, float* levels,
                          cudaStream_t stream = nullptr) {
    if (num_items == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_items + block - 1) / block;
    lookup<<<grid, block, 0, stream>>>(coordinates, importances, num_items, levels);
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
    Array<float> coordinates(n), importances(n), levels(n), entries_(32);
    fill_uniform(coordinates, 0x9c9df0a2, 0.0, 1.0);
    fill_uniform(importances, 0x8a2e10de, 0.1, 2.0);
    fill_uniform(entries_, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(entries, entries_.host, sizeof(entries)));
    CUDA_CHECK(launch_lookup(coordinates.device, importances.device, n, levels.device));
    levels.download();
    double sum = 0.0;
    for (size_t i = 0; i < levels.count; ++i) sum += levels.host[i];
    std::printf("levels: first %g, last %g, sum %.9g\n", levels.host[0], levels.host[levels.count - 1], sum);
    return 0;
}
