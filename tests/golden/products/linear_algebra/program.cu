#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Update the Cholesky factor L of each matrix of a batch to that of L L^T + v v^T by plane rotations, which
// takes O(n^2) operations, where a new factorization takes O(n^3). factors[i, k, m] is entry (i, k) of matrix
// m; the vectors are overwritten.
__global__ void cholesky_rank_one_update(double* __restrict__ factors, double* __restrict__ vectors,
                                         int count, int order) {
    const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= count) return;

    for (int k = 0; k < order; ++k) {
        const size_t index = (size_t(k) * order + k) * count + matrix;
        const double diagonal = factors[index];
        const double v = vectors[size_t(k) * count + matrix];
        const double length = sqrt(diagonal * diagonal + v * v);
        const double c = length / diagonal;
        const double s = v / diagonal;
        factors[index] = length;
        for (int i = k + 1; i < order; ++i) {
            const size_t vectors_index = size_t(i) * count + matrix;
            const double component = vectors[vectors_index];
            const size_t factors_index = (size_t(i) * order + k) * count + matrix;
            const double entry = (factors[factors_index] + s * component) / c;
            factors[factors_index] = entry;
            vectors[vectors_index] = c * component - s * entry;
        }
    }
}

cudaError_t launch_cholesky_rank_one_update(double* factors, double* vectors, int count, int order,
                                            cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    cholesky_rank_one_update<<<grid, block, 0, stream>>>(factors, vectors, count, order);
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

void print_output(const char* name, Array<double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int order = 4, count = 126;
    Array<double> factors(order * order * count), vectors(order * count);
    fill_uniform(factors, 0x2370168f, 1.0, 1.5);
    fill_uniform(vectors, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_cholesky_rank_one_update(factors.device, vectors.device, count, order));
    print_output("factors", factors);
    print_output("vectors", vectors);
    return 0;
}
