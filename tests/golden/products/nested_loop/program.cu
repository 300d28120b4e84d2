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

constexpr int A_ROWS = 8;
constexpr int B_COLS = 12;

// Multiply each pair of matrices of a batch, c = a b, one element per thread.
__global__ void batched_gemm(const double* __restrict__ a, const double* __restrict__ b, int depth,
                             double* __restrict__ c) {
    const int batch = blockIdx.x;
    const int i = threadIdx.y;
    const int j = threadIdx.x;

    double total = 0.0;
    const int row_start = (batch * A_ROWS + i) * depth;
    for (int k = 0; k < depth; ++k) {
        total += a[row_start + k] * b[(batch * depth + k) * B_COLS + j];
    }
    c[(batch * A_ROWS + i) * B_COLS + j] = total;
}

cudaError_t launch_batched_gemm(const double* a, const double* b, int depth, double* c, int rows,
                                cudaStream_t stream = nullptr) {
    if (rows <= 0) return cudaSuccess;
    if (int64_t(rows) * depth > INT_MAX / B_COLS || rows > INT_MAX / A_ROWS / B_COLS)
        return cudaErrorInvalidValue;
    // A block has a thread for each element of the last two dimensions.
    const dim3 block(B_COLS, A_ROWS);
    const unsigned grid = rows;
    batched_gemm<<<grid, block, 0, stream>>>(a, b, depth, c);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int rows = 34, depth = 16;
    Array<double> a(rows * 8 * depth), b(rows * depth * 12), c(rows * 8 * 12);
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(b, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_batched_gemm(a.device, b.device, depth, c.device, rows));
    c.download();
    double sum = 0.0;
    for (size_t i = 0; i < c.count; ++i) sum += c.host[i];
    std::printf("c: first %g, last %g, sum %.9g\n", c.host[0], c.host[c.count - 1], sum);
    return 0;
}
