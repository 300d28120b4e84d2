#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Multiply each pair of matrices of a batch, product = left right.
__global__ void bmm(const double* __restrict__ left, const double* __restrict__ right,
                    double* __restrict__ product, int num_matrices, int rows, int cols, int depth) {
    const int batch = blockIdx.z * blockDim.z + threadIdx.z;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (batch >= num_matrices || i >= rows || j >= cols) return;

    double total = 0.0;
    const int row_start = (batch * rows + i) * depth;
    for (int k = 0; k < depth; ++k) {
        total += left[row_start + k] * right[(batch * depth + k) * cols + j];
    }
    product[(batch * rows + i) * cols + j] = total;
}

cudaError_t launch_bmm(const double* left, const double* right, double* product, int num_matrices, int rows,
                       int cols, int depth, cudaStream_t stream = nullptr) {
    if (num_matrices <= 0 || rows <= 0 || cols <= 0) return cudaSuccess;
    if (int64_t(num_matrices) * depth > INT_MAX / rows || int64_t(num_matrices) * depth > INT_MAX / cols ||
        int64_t(num_matrices) * rows > INT_MAX / cols)
        return cudaErrorInvalidValue;
    const dim3 block(32, 4, 2);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y,
                    (num_matrices + block.z - 1) / block.z);
    bmm<<<grid, block, 0, stream>>>(left, right, product, num_matrices, rows, cols, depth);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int num_matrices = 34, rows = 8, cols = 12, depth = 16;
    Array<double> left(num_matrices * rows * depth), right(num_matrices * depth * cols),
        product(num_matrices * rows * cols);
    fill_uniform(left, 0x2370168f, -1.0, 1.0);
    fill_uniform(right, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_bmm(left.device, right.device, product.device, num_matrices, rows, cols, depth));
    product.download();
    double sum = 0.0;
    for (size_t i = 0; i < product.count; ++i) sum += product.host[i];
    std::printf("product: first %g, last %g, sum %.9g\n", product.host[0], product.host[product.count - 1],
                sum);
    return 0;
}
