#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// equation_unknown: Improve the unknown of each equation by a relaxed Jacobi step, 4 times.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Improve the unknown of each equation by a relaxed Jacobi step. For this, the row product is computed with
// the diagonal stored apart, then the residual as the right side less the row product.
// Precondition: elements of columns lie in [0, n).
__global__ void improve_relaxed_jacobi_unknown(const float* __restrict__ unknowns,
                                               const float* __restrict__ right_sides,
                                               const float* __restrict__ diagonals,
                                               const float* __restrict__ values,
                                               const int* __restrict__ columns, int num_slots,
                                               float* __restrict__ next_unknowns, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    const float unknown = unknowns[row];
    const float right_side = right_sides[row];
    const float diagonal = diagonals[row];
    float rest = 0.0f;
    for (int p = 0; p < num_slots; ++p) {
        const size_t index = size_t(p) * n + row;
        const int j = columns[index];
        rest += values[index] * unknowns[j];
    }
    const float row_product = diagonal * unknown + rest;
    const float residual = right_side - row_product;
    const float new_unknown = unknown + 0.45f * residual / diagonal;
    next_unknowns[row] = new_unknown;
}

cudaError_t launch_improve_relaxed_jacobi_unknown(const float* unknowns, const float* right_sides,
                                                  const float* diagonals, const float* values,
                                                  const int* columns, int num_slots, float* next_unknowns,
                                                  int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    improve_relaxed_jacobi_unknown<<<grid, block, 0, stream>>>(unknowns, right_sides, diagonals, values,
                                                               columns, num_slots, next_unknowns, n);
    return cudaGetLastError();
}

cudaError_t launch_equation_unknown(const float* right_sides, const float* diagonals, const float* values,
                                    const int* columns, float* unknowns, float* next_unknowns, int num_slots,
                                    int n, cudaStream_t stream = nullptr) {
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status = launch_improve_relaxed_jacobi_unknown(
                unknowns, right_sides, diagonals, values, columns, num_slots, next_unknowns, n, stream))
            return status;
        if (const cudaError_t status = launch_improve_relaxed_jacobi_unknown(
                next_unknowns, right_sides, diagonals, values, columns, num_slots, unknowns, n, stream))
            return status;
    }
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
    Array<float> right_sides(n), diagonals(n), values(slots * n), unknowns(n), next_unknowns(n);
    Array<int> columns(slots * n);
    fill_uniform(right_sides, 0x2370168f, -2.0, 2.0);
    fill_uniform(diagonals, 0x9c9df0a2, 2.0, 5.0);
    fill_uniform(values, 0x8a2e10de, -1.0, 1.0);
    for (size_t i = 0; i < columns.count; ++i) columns.host[i] = pcg(0x86a00a5c + i) % n;
    columns.upload();
    fill_uniform(unknowns, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_equation_unknown(right_sides.device, diagonals.device, values.device, columns.device,
                                       unknowns.device, next_unknowns.device, slots, n));
    print_output("unknowns", unknowns);
    print_output("next_unknowns", next_unknowns);
    return 0;
}
