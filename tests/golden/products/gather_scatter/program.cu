#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Linear layer with sparse weights: y = relu(W x + bias).
// Precondition: elements of offsets are not negative and do not decrease.
// Precondition: elements of indices lie in [0, n).
__global__ void sparse_linear_relu(const int* __restrict__ offsets, const int* __restrict__ indices,
                                   const double* __restrict__ data, const double* __restrict__ x,
                                   const double* __restrict__ bias, double* __restrict__ y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    double total = 0.0;
    const int k_end = offsets[row + 1];
    for (int k = offsets[row]; k < k_end; ++k) {
        total += data[k] * x[indices[k]];
    }
    y[row] = fmax(total + bias[row], 0.0);
}

cudaError_t launch_sparse_linear_relu(const int* offsets, const int* indices, const double* data,
                                      const double* x, const double* bias, double* y, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sparse_linear_relu<<<grid, block, 0, stream>>>(offsets, indices, data, x, bias, y, n);
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
    const int n = 1000, entries = 6006;
    Array<int> offsets(n + 1), indices(entries);
    Array<double> data(entries), x(n), bias(n), y(n);
    for (size_t i = 0; i < offsets.count; ++i) offsets.host[i] = i * 6 + pcg(0x2370168f + i) % 6;
    offsets.upload();
    for (size_t i = 0; i < indices.count; ++i) indices.host[i] = pcg(0x9c9df0a2 + i) % n;
    indices.upload();
    fill_uniform(data, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(x, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(bias, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_sparse_linear_relu(offsets.device, indices.device, data.device, x.device, bias.device,
                                         y.device, n));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
