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

// Smallest of the values of the threads of a warp, for each of them.
__device__ inline float warp_min(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fminf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Smallest of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_min(float value) {
    __shared__ float partial[32];
    value = warp_min(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int warps = blockDim.x / 32;
    value = partial[0];
    for (int warp = 1; warp < warps; ++warp) {
        value = fminf(value, partial[warp]);
    }
    return value;
}

// Product of the transpose of a matrix and another, 16 by 8 elements a tile. It is added to what is given.
// The block's smallest value is subtracted from the output. The result is multiplied by factor.
// Blocks of 128 threads, one for each of 128 elements.
__global__ void matrix_product(const float* __restrict__ a, const float* __restrict__ b,
                               const float* __restrict__ given, float factor, float* __restrict__ outputs,
                               int column_tiles, int row_tiles) {
    const int row = blockIdx.x;
    const int column = blockIdx.y;
    const int tid = threadIdx.x;
    const int r = tid / 8;
    const int c = tid % 8;
    const int tile_row = tid / 16;
    const int tile_column = tid % 16;
    __shared__ float a_tile[4][16];
    __shared__ float b_tile[4][8];
    float acc = given[size_t(row * 16 + r) * (8 * column_tiles) + column * 8 + c];
    for (int k = 0; k < 3; ++k) {
        if (tid < 64) {
            a_tile[tile_row][tile_column] =
                a[size_t(k * 4 + tile_row) * (16 * row_tiles) + row * 16 + tile_column];
        }
        if (tid < 32) b_tile[r][c] = b[(k * 4 + r) * (8 * column_tiles) + column * 8 + c];
        __syncthreads();
        float sum = 0.0f;
        for (int k2 = 0; k2 < 4; ++k2) {
            sum = fmaf(a_tile[k2][r], b_tile[k2][c], sum);
        }
        acc += sum;
        __syncthreads();
    }
    const float smallest_of_block = block_min(acc);
    const float relative_tile = acc - smallest_of_block;
    outputs[size_t(row * 16 + r) * (8 * column_tiles) + column * 8 + c] = factor * relative_tile;
}

cudaError_t launch_matrix_product(const float* a, const float* b, const float* given, float factor,
                                  float* outputs, int column_tiles, int row_tiles,
                                  cudaStream_t stream = nullptr) {
    if (row_tiles == 0 || column_tiles == 0) return cudaSuccess;
    if (column_tiles > INT_MAX / 96) return cudaErrorInvalidValue;
    // The kernel counts on blocks of this size.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    constexpr unsigned block = 128;
    const dim3 grid(row_tiles, column_tiles);
    matrix_product<<<grid, block, 0, stream>>>(a, b, given, factor, outputs, column_tiles, row_tiles);
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
    const int row_tiles = 16, column_tiles = 3, inner_tiles = 3;
    Array<float> a(4 * inner_tiles * (16 * row_tiles)), b(4 * inner_tiles * (8 * column_tiles)),
        given(16 * row_tiles * (8 * column_tiles)), outputs(16 * row_tiles * (8 * column_tiles));
    const float factor = 1.2404952f;
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(b, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(given, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_matrix_product(a.device, b.device, given.device, factor, outputs.device, column_tiles,
                                     row_tiles));
    outputs.download();
    double sum = 0.0;
    for (size_t i = 0; i < outputs.count; ++i) sum += outputs.host[i];
    std::printf("outputs: first %g, last %g, sum %.9g\n", outputs.host[0], outputs.host[outputs.count - 1],
                sum);
    return 0;
}
