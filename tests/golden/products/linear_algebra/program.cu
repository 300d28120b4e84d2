#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the direction of each equation so that it is conjugate to the old one, with the preconditioned
// residual by a sparse approximate inverse.
// Precondition: no element of row_offsets is negative.
// Precondition: elements of columns lie in [0, n).
__global__ void compute_direction(const double* __restrict__ residuals, const int* __restrict__ row_offsets,
                                  const int* __restrict__ columns, const double* __restrict__ values,
                                  const double* __restrict__ old_directions, double* __restrict__ directions,
                                  double momentum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    double preconditioned = 0.0;
    const int entry_end = row_offsets[i + 1];
    for (int entry = row_offsets[i]; entry < entry_end; ++entry) {
        preconditioned += values[entry] * residuals[columns[entry]];
    }
    const double old_direction = old_directions[i];
    const double direction = preconditioned + momentum * old_direction;
    directions[i] = direction;
}

cudaError_t launch_compute_direction(const double* residuals, const int* row_offsets, const int* columns,
                                     const double* values, const double* old_directions, double* directions,
                                     double momentum, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_direction<<<grid, block, 0, stream>>>(residuals, row_offsets, columns, values, old_directions,
                                                  directions, momentum, n);
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
    const int n = 1000, nonzeros = 4004;
    Array<double> residuals(n), values(nonzeros), old_directions(n), directions(n);
    Array<int> row_offsets(n + 1), columns(nonzeros);
    const double momentum = 0.5034923424277021;
    fill_uniform(residuals, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < row_offsets.count; ++i) row_offsets.host[i] = i * 4 + pcg(0x9c9df0a2 + i) % 4;
    row_offsets.upload();
    for (size_t i = 0; i < columns.count; ++i) columns.host[i] = pcg(0x8a2e10de + i) % n;
    columns.upload();
    fill_uniform(values, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(old_directions, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_compute_direction(residuals.device, row_offsets.device, columns.device, values.device,
                                        old_directions.device, directions.device, momentum, n));
    directions.download();
    double sum = 0.0;
    for (size_t i = 0; i < directions.count; ++i) sum += directions.host[i];
    std::printf("directions: first %g, last %g, sum %.9g\n", directions.host[0],
                directions.host[directions.count - 1], sum);
    return 0;
}
