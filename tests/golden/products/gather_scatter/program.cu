#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Multiply a matrix in ELLPACK form by a vector. values[k, row] is entry k of a row, so that neighboring
// threads read neighboring elements; a column of -1 marks the padding of short rows.
__global__ void ell_spmv(const int* __restrict__ columns, const float* __restrict__ values,
                         const float* __restrict__ x, float* __restrict__ y, int n, int width) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    float total = 0.0f;
    for (int k = 0; k < width; ++k) {
        const size_t index = size_t(k) * n + row;
        const int column = columns[index];
        if (column >= 0) {
            total += values[index] * x[column];
        }
    }
    y[row] = total;
}

cudaError_t launch_ell_spmv(const int* columns, const float* values, const float* x, float* y, int n,
                            int width, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    ell_spmv<<<grid, block, 0, stream>>>(columns, values, x, y, n, width);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000, width = 6;
    Array<int> columns(width * n);
    Array<float> values(width * n), x(n), y(n);
    fill_integers(columns, 0x2370168f, -1, n);
    fill_uniform(values, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(x, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_ell_spmv(columns.device, values.device, x.device, y.device, n, width));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
