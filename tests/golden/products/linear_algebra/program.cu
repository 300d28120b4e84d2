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

// Solve (a + damping I) x = rhs by Cholesky factorization, one matrix per thread. The matrix is the last axis
// of each array, and only the lower triangle is read.
__global__ void posv_batched(const double* __restrict__ a, const double* __restrict__ rhs, double damping,
                             int size, double* __restrict__ factor, double* __restrict__ x, int matrices) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= matrices) return;

    for (int j = 0; j < size; ++j) {
        const size_t index = (size_t(j) * size + j) * matrices + m;
        double pivot = a[index] + damping;
        for (int k = 0; k < j; ++k) {
            const size_t factor_index = (size_t(j) * size + k) * matrices + m;
            pivot -= factor[factor_index] * factor[factor_index];
        }
        const double root = sqrt(pivot);
        factor[index] = root;
        for (int i = j + 1; i < size; ++i) {
            const size_t i_index = (size_t(i) * size + j) * matrices + m;
            double entry = a[i_index];
            for (int k = 0; k < j; ++k) {
                entry -= factor[(size_t(i) * size + k) * matrices + m] *
                         factor[(size_t(j) * size + k) * matrices + m];
            }
            factor[i_index] = entry / root;
        }
    }
    for (int i = 0; i < size; ++i) {
        const int index = i * matrices + m;
        double value = rhs[index];
        for (int k = 0; k < i; ++k) {
            value -= factor[(size_t(i) * size + k) * matrices + m] * x[k * matrices + m];
        }
        x[index] = value / factor[(size_t(i) * size + i) * matrices + m];
    }
    for (int back = 0; back < size; ++back) {
        const int i = size - 1 - back;
        const int index = i * matrices + m;
        double value = x[index];
        for (int k = i + 1; k < size; ++k) {
            value -= factor[(size_t(k) * size + i) * matrices + m] * x[k * matrices + m];
        }
        x[index] = value / factor[(size_t(i) * size + i) * matrices + m];
    }
}

cudaError_t launch_posv_batched(const double* a, const double* rhs, double damping, int size, double* factor,
                                double* x, int matrices, cudaStream_t stream = nullptr) {
    if (matrices <= 0) return cudaSuccess;
    if (int64_t(size) * matrices > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (matrices + block - 1) / block;
    posv_batched<<<grid, block, 0, stream>>>(a, rhs, damping, size, factor, x, matrices);
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

void print_output(const char* name, Array<double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int matrices = 34, size = 6;
    Array<double> a(size * size * matrices), rhs(size * matrices), factor(size * size * matrices),
        x(size * matrices);
    const double damping = 6.161516183061288;
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(rhs, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_posv_batched(a.device, rhs.device, damping, size, factor.device, x.device, matrices));
    print_output("factor", factor);
    print_output("x", x);
    return 0;
}
