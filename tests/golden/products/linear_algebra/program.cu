#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// conjugate_direction_kernel: Compute the direction of each equation so that it is conjugate to the old one.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the residual of each equation as the right side less the row product.
__global__ void compute_residual(const float* __restrict__ right_sides,
                                 const float* __restrict__ row_products, float* __restrict__ residuals,
                                 int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float right_side = right_sides[i];
    const float row_product = row_products[i];
    const float residual = right_side - row_product;
    residuals[i] = residual;
}

cudaError_t launch_compute_residual(const float* right_sides, const float* row_products, float* residuals,
                                    int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_residual<<<grid, block, 0, stream>>>(right_sides, row_products, residuals, n);
    return cudaGetLastError();
}

// Compute the direction of each equation so that it is conjugate to the old one, with the preconditioned
// residual by a sparse approximate inverse.
// Precondition: elements of columns lie in [0, n).
__global__ void compute_conjugate_direction(const float* __restrict__ residuals,
                                            const float* __restrict__ values, const int* __restrict__ columns,
                                            const float* __restrict__ old_directions, int num_slots,
                                            float momentum, float* __restrict__ directions, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    float preconditioned = 0.0f;
    for (int slot = 0; slot < num_slots; ++slot) {
        const size_t index = size_t(slot) * n + row;
        const int col = columns[index];
        preconditioned += values[index] * residuals[col];
    }
    const float old_direction = old_directions[row];
    const float direction = preconditioned + momentum * old_direction;
    directions[row] = direction;
}

cudaError_t launch_compute_conjugate_direction(const float* residuals, const float* values,
                                               const int* columns, const float* old_directions, int num_slots,
                                               float momentum, float* directions, int n,
                                               cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_conjugate_direction<<<grid, block, 0, stream>>>(residuals, values, columns, old_directions,
                                                            num_slots, momentum, directions, n);
    return cudaGetLastError();
}

cudaError_t launch_conjugate_direction_kernel(const float* right_sides, const float* row_products,
                                              const float* values, const int* columns,
                                              const float* old_directions, int num_slots, float momentum,
                                              float* residuals, float* directions, int n,
                                              cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_compute_residual(right_sides, row_products, residuals, n, stream))
        return status;
    if (const cudaError_t status = launch_compute_conjugate_direction(
            residuals, values, columns, old_directions, num_slots, momentum, directions, n, stream))
        return status;
    return cudaSuccess;
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, slots = 5;
    Array<float> right_sides(n), row_products(n), values(slots * n), old_directions(n), residuals(n),
        directions(n);
    Array<int> columns(slots * n);
    const float momentum = 0.5034923f;
    fill_uniform(right_sides, 0x2370168f, -2.0, 2.0);
    fill_uniform(row_products, 0x9c9df0a2, -3.0, 3.0);
    fill_uniform(values, 0x8a2e10de, -1.0, 1.0);
    for (size_t i = 0; i < columns.count; ++i) columns.host[i] = pcg(0x86a00a5c + i) % n;
    columns.upload();
    fill_uniform(old_directions, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_conjugate_direction_kernel(right_sides.device, row_products.device, values.device,
                                                 columns.device, old_directions.device, slots, momentum,
                                                 residuals.device, directions.device, n));
    print_output("residuals", residuals);
    print_output("directions", directions);
    return 0;
}
