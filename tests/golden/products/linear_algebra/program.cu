#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Update the residual of each equation along the image of the direction. The residual is computed as the
// right side less the row product, and the image as the product of a sparse row and the directions.
// Precondition: no element of row_offsets is negative.
// Precondition: elements of columns lie in [0, n).
__global__ void updated_residual(const double* __restrict__ right_sides, const double* __restrict__ unknowns,
                                 const double* __restrict__ diagonals, const int* __restrict__ row_offsets,
                                 const int* __restrict__ columns, const double* __restrict__ values,
                                 const double* __restrict__ directions, double* __restrict__ new_residuals,
                                 double step_length, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    const double unknown = unknowns[row];
    const double right_side = right_sides[row];
    double scaled = 0.0;
    double image = 0.0;
    const int entry_end = row_offsets[row + 1];
    for (int entry = row_offsets[row]; entry < entry_end; ++entry) {
        const int col = columns[entry];
        scaled += values[entry] * unknowns[col] / sqrt(diagonals[col]);
        image += values[entry] * directions[col];
    }
    const double row_product = unknown - scaled / sqrt(diagonals[row]);
    const double residual = right_side - row_product;
    const double new_residual = residual - step_length * image;
    new_residuals[row] = new_residual;
}

cudaError_t launch_updated_residual(const double* right_sides, const double* unknowns,
                                    const double* diagonals, const int* row_offsets, const int* columns,
                                    const double* values, const double* directions, double* new_residuals,
                                    double step_length, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    updated_residual<<<grid, block, 0, stream>>>(right_sides, unknowns, diagonals, row_offsets, columns,
                                                 values, directions, new_residuals, step_length, n);
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

// Of 53 random bits.

void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000, nonzeros = 4004;
    Array<double> right_sides(n), unknowns(n), diagonals(n), values(nonzeros), directions(n),
        new_residuals(n);
    Array<int> row_offsets(n + 1), columns(nonzeros);
    const double step_length = 0.4865940288549405;
    fill_uniform(right_sides, 0x2370168f, -2.0, 2.0);
    fill_uniform(unknowns, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(diagonals, 0x8a2e10de, 2.0, 5.0);
    for (size_t i = 0; i < row_offsets.count; ++i) row_offsets.host[i] = i * 4 + pcg(0x86a00a5c + i) % 4;
    row_offsets.upload();
    for (size_t i = 0; i < columns.count; ++i) columns.host[i] = pcg(0x14cd5bc2 + i) % n;
    columns.upload();
    fill_uniform(values, 0xa44fd9fd, -1.0, 1.0);
    fill_uniform(directions, 0xf07bd7fc, -1.0, 1.0);
    CUDA_CHECK(launch_updated_residual(right_sides.device, unknowns.device, diagonals.device,
                                       row_offsets.device, columns.device, values.device, directions.device,
                                       new_residuals.device, step_length, n));
    new_residuals.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_residuals.count; ++i) sum += new_residuals.host[i];
    std::printf("new_residuals: first %g, last %g, sum %.9g\n", new_residuals.host[0],
                new_residuals.host[new_residuals.count - 1], sum);
    return 0;
}
