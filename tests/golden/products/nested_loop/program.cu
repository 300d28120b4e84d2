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

constexpr int B_COLS = 24;

// Multiply a lower triangular matrix by a full one.
__global__ void trmm(const float* __restrict__ a, const float* __restrict__ b, int depth,
                     float* __restrict__ c, int rows) {
    const int i = blockIdx.x * blockDim.y + threadIdx.y;
    const int j = threadIdx.x;
    if (i >= rows) return;

    float total = 0.0f;
    const int row_start = i * depth;
    for (int k = 0; k < min(i + 1, depth); ++k) {
        total += a[row_start + k] * b[k * B_COLS + j];
    }
    c[i * B_COLS + j] = total;
}

cudaError_t launch_trmm(const float* a, const float* b, int depth, float* c, int rows,
                        cudaStream_t stream = nullptr) {
    if (rows <= 0) return cudaSuccess;
    if (int64_t(rows) * depth > INT_MAX || depth > INT_MAX / B_COLS || rows > INT_MAX / B_COLS)
        return cudaErrorInvalidValue;
    // A block spans the last dimension.
    const dim3 block(B_COLS, 8);
    const unsigned grid = (rows + block.y - 1) / block.y;
    trmm<<<grid, block, 0, stream>>>(a, b, depth, c, rows);
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
    const int rows = 34, depth = 31;
    Array<float> a(rows * depth), b(depth * 24), c(rows * 24);
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(b, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_trmm(a.device, b.device, depth, c.device, rows));
    c.download();
    double sum = 0.0;
    for (size_t i = 0; i < c.count; ++i) sum += c.host[i];
    std::printf("c: first %g, last %g, sum %.9g\n", c.host[0], c.host[c.count - 1], sum);
    return 0;
}
