#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int TILE = 256;

// Exclusive prefix sums within each tile; a block works on a tile.
// Blocks of 256 threads, one for each of 256 elements.
__global__ void exclusive_tile_prefix_sum(const float* __restrict__ values, float* __restrict__ sums) {
    const int block = blockIdx.x;
    const int tid = threadIdx.x;
    __shared__ float tile[TILE];
    __shared__ float scan_exclusive[TILE];
    tile[tid] = values[block * TILE + tid];
    // One thread scans the tile: in order, for sums of floats depend on it.
    __syncthreads();
    if (tid == 0) {
        float sum = 0.0f;
        for (int k = 0; k < TILE; ++k) {
            const float value = tile[k];
            scan_exclusive[k] = sum;
            sum += value;
        }
    }
    __syncthreads();
    sums[block * TILE + tid] = scan_exclusive[tid];
}

cudaError_t launch_exclusive_tile_prefix_sum(const float* values, float* sums, int blocks,
                                             cudaStream_t stream = nullptr) {
    if (blocks == 0) return cudaSuccess;
    constexpr unsigned block = TILE;
    const unsigned grid = blocks;
    exclusive_tile_prefix_sum<<<grid, block, 0, stream>>>(values, sums);
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
    const int blocks = 4;
    Array<float> values(256 * blocks), sums(256 * blocks);
    fill_uniform(values, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_exclusive_tile_prefix_sum(values.device, sums.device, blocks));
    sums.download();
    double sum = 0.0;
    for (size_t i = 0; i < sums.count; ++i) sum += sums.host[i];
    std::printf("sums: first %g, last %g, sum %.9g\n", sums.host[0], sums.host[sums.count - 1], sum);
    return 0;
}
