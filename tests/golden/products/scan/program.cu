#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Exclusive prefix damped sums of the squares of the heights along each row. What all elements give together
// is stored apart.
__global__ void prefix_row(const double* __restrict__ heights, int total_threads, int length,
                           double* __restrict__ prefixes, double* __restrict__ row_totals) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= total_threads) return;

    for (int row = tid; row < length; row += total_threads) {
        double acc = 0.0;
        for (int t = 0; t < 8; ++t) {
            const double x = heights[row * 8 + t];
            prefixes[row * 8 + t] = acc;
            acc = 0.7 * acc + x * x;
        }
        row_totals[row] = acc;
    }
}

cudaError_t launch_prefix_row(const double* heights, int total_threads, int length, double* prefixes,
                              double* row_totals, cudaStream_t stream = nullptr) {
    if (total_threads == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (total_threads + block - 1) / block;
    prefix_row<<<grid, block, 0, stream>>>(heights, total_threads, length, prefixes, row_totals);
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

void print_output(const char* name, Array<double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, threads = 512;
    Array<double> heights(8 * n), prefixes(8 * n), row_totals(n);
    fill_uniform(heights, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_prefix_row(heights.device, threads, n, prefixes.device, row_totals.device));
    print_output("prefixes", prefixes);
    print_output("row_totals", row_totals);
    return 0;
}
