#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the gap of each matrix between an estimated eigenvalue and the bound. First, the Rayleigh quotient
// is computed for a vector.
__global__ void eigenvalue_gap(const float* __restrict__ entries, const float* __restrict__ vectors,
                               const float* __restrict__ eigenvalue_bounds,
                               float* __restrict__ eigenvalue_gaps, int num_rows, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float total = 0.0f;
    float square = 0.001f;
    const size_t row_start = size_t(i) * num_rows;
    for (int row = 0; row < num_rows; ++row) {
        const float own = vectors[row_start + row];
        float inner = 0.0f;
        for (int col = 0; col < num_rows; ++col) {
            inner += entries[(row_start + row) * num_rows + col] * vectors[row_start + col];
        }
        total += own * inner;
        square += own * own;
    }
    const float eigenvalue = total / square;
    const float eigenvalue_bound = eigenvalue_bounds[i];
    const float eigenvalue_gap_ = eigenvalue_bound - eigenvalue;
    eigenvalue_gaps[i] = eigenvalue_gap_;
}

cudaError_t launch_eigenvalue_gap(const float* entries, const float* vectors, const float* eigenvalue_bounds,
                                  float* eigenvalue_gaps, int num_rows, int n,
                                  cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eigenvalue_gap<<<grid, block, 0, stream>>>(entries, vectors, eigenvalue_bounds, eigenvalue_gaps, num_rows,
                                               n);
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
    const int n = 1000, rows = 4;
    Array<float> entries(n * rows * rows), vectors(n * rows), eigenvalue_bounds(n), eigenvalue_gaps(n);
    fill_uniform(entries, 0x2370168f, -1.0, 1.0);
    fill_uniform(vectors, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(eigenvalue_bounds, 0x8a2e10de, 0.5, 6.0);
    CUDA_CHECK(launch_eigenvalue_gap(entries.device, vectors.device, eigenvalue_bounds.device,
                                     eigenvalue_gaps.device, rows, n));
    eigenvalue_gaps.download();
    double sum = 0.0;
    for (size_t i = 0; i < eigenvalue_gaps.count; ++i) sum += eigenvalue_gaps.host[i];
    std::printf("eigenvalue_gaps: first %g, last %g, sum %.9g\n", eigenvalue_gaps.host[0],
                eigenvalue_gaps.host[eigenvalue_gaps.count - 1], sum);
    return 0;
}
