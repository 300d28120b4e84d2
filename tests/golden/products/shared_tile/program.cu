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
constexpr int TILE_K = 16;
constexpr int BLOCK = 128;

// Gaussian error linear unit, in its tanh form.
__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x))); }

// Linear layer c = gelu(a^T b + bias), one tile of c per block.
// Blocks of 128 threads, each for 16 of 2048 elements.
__global__ void linear_gelu_tn(const float* __restrict__ a, const float* __restrict__ b,
                               const float* __restrict__ bias, int depth, float* __restrict__ c, int tiles_m,
                               int tiles_n) {
    const int i = blockIdx.y;
    const int j = blockIdx.x;
    const int tid = threadIdx.x;
    const int x = tid % TILE_M;
    const int tile_column = tid % TILE_N;
    float acc[4][4] = {};
    __shared__ float a_tile[TILE_K][TILE_M];
    __shared__ float b_tile[TILE_K][TILE_N];
    for (int k = 0; k < depth; k += TILE_K) {
        for (int y = tid / TILE_M; y < TILE_K; y += BLOCK / TILE_M) {
            a_tile[y][x] = k + y < depth ? a[(k + y) * (TILE_M * tiles_m) + i * TILE_M + x] : 0.0f;
        }
        for (int tile_row = tid / TILE_N; tile_row < TILE_K; tile_row += BLOCK / TILE_N) {
            b_tile[tile_row][tile_column] =
                k + tile_row < depth ? b[(k + tile_row) * (TILE_N * tiles_n) + j * TILE_N + tile_column]
                                     : 0.0f;
        }
        __syncthreads();
        for (int k2 = 0; k2 < TILE_K; ++k2) {
#pragma unroll
            for (int m = 0; m < 4; ++m) {
                const int row = tid / (TILE_N / 4) + m * (TILE_M / 4);
#pragma unroll
                for (int n = 0; n < 4; ++n) {
                    const int column = tid % (TILE_N / 4) + n * (TILE_N / 4);
                    acc[m][n] = fmaf(a_tile[k2][row], b_tile[k2][column], acc[m][n]);
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int m = 0; m < 4; ++m) {
        const int row = tid / (TILE_N / 4) + m * (TILE_M / 4);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const int column = tid % (TILE_N / 4) + n * (TILE_N / 4);
            acc[m][n] += bias[j * TILE_N + column];
            c[(i * TILE_M + row) * (TILE_N * tiles_n) + j * TILE_N + column] = gelu(acc[m][n]);
        }
    }
}

cudaError_t launch_linear_gelu_tn(const float* a, const float* b, const float* bias, int depth, float* c,
                                  int tiles_m, int tiles_n, cudaStream_t stream = nullptr) {
    if (tiles_m == 0 || tiles_n == 0) return cudaSuccess;
    if (int64_t(depth) * tiles_m > INT_MAX / 32 || int64_t(depth) * tiles_n > INT_MAX / 64 ||
        int64_t(tiles_m) * tiles_n > INT_MAX / 2048)
        return cudaErrorInvalidValue;
    constexpr unsigned block = BLOCK;
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
