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

constexpr int TILE_M = 32;
constexpr int TILE_N = 64;

// Gaussian error linear unit, in its tanh form.
__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x))); }

// Linear layer c = gelu(a^T b + bias), one tile of c per block.
// Blocks of 256 threads, each for 8 of 2048 elements.
__global__ void linear_gelu_tn(const float* __restrict__ a, const float* __restrict__ b,
                               const float* __restrict__ bias, int depth, float* __restrict__ c, int tiles_m,
                               int tiles_n) {
    const int i = blockIdx.y;
    const int j = blockIdx.x;
    const int tid = threadIdx.x;
    const int tile_column = tid % 32;
    const int column = tid % 64;
    float acc[8] = {};
    __shared__ float a_tile[16][32];
    __shared__ float b_tile[16][64];
    for (int k = 0; k < depth; k += 16) {
        for (int tile_row = tid / 32; tile_row < 16; tile_row += 8) {
            a_tile[tile_row][tile_column] = a[(k + tile_row) * (32 * tiles_m) + i * TILE_M + tile_column];
        }
        for (int row = tid / 64; row < 16; row += 4) {
            b_tile[row][column] = b[(k + row) * (64 * tiles_n) + j * TILE_N + column];
        }
        __syncthreads();
        for (int k2 = 0; k2 < 16; ++k2) {
#pragma unroll
            for (int n = 0; n < 8; ++n) {
                const int row = tid / 64 + n * 4;
                acc[n] = fmaf(a_tile[k2][row], b_tile[k2][column], acc[n]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int n = 0; n < 8; ++n) {
        const int row = tid / 64 + n * 4;
        acc[n] += bias[j * TILE_N + column];
        c[(i * TILE_M + row) * (64 * tiles_n) + j * TILE_N + column] = gelu(acc[n]);
    }
}

cudaError_t launch_linear_gelu_tn(const float* a, const float* b, const float* bias, int depth, float* c,
                                  int tiles_m, int tiles_n, cudaStream_t stream = nullptr) {
    if (tiles_m == 0 || tiles_n == 0) return cudaSuccess;
    if (int64_t(depth) * tiles_m > INT_MAX / 32 || int64_t(depth) * tiles_n > INT_MAX / 64 ||
        int64_t(tiles_m) * tiles_n > INT_MAX / 2048)
        return cudaErrorInvalidValue;
    // The kernel is written for blocks of this size.
    constexpr unsigned block = 256;
    const dim3 grid(tiles_n, tiles_m);
    linear_gelu_tn<<<grid, block, 0, stream>>>(a, b, bias, depth, c, tiles_m, tiles_n);
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
    const int tiles_m = 16, tiles_n = 2, depth = 48;
    Array<float> a(depth * (32 * tiles_m)), b(depth * (64 * tiles_n)), bias(64 * tiles_n),
        c(32 * tiles_m * (64 * tiles_n));
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(b, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(bias, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_linear_gelu_tn(a.device, b.device, bias.device, depth, c.device, tiles_m, tiles_n));
    c.download();
    double sum = 0.0;
    for (size_t i = 0; i < c.count; ++i) sum += c.host[i];
    std::printf("c: first %g, last %g, sum %.9g\n", c.host[0], c.host[c.count - 1], sum);
    return 0;
}
