#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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
            const int index = row * 8 + t;
            const double x = heights[index];
            prefixes[index] = acc;
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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

// With 53 random bits.
double random_double(uint32_t parameter, uint32_t i, double low, double high) {
    const uint32_t leading = random_bits(parameter, i);
    return low + ((leading >> 8) * 0x1p-24 + (pcg(leading) >> 3) * 0x1p-53) * (high - low);
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int n = 1000, threads = 512;
    Array<double> heights(8 * n), prefixes(8 * n), row_totals(n);
    for (size_t i = 0; i < heights.count; ++i) heights.host[i] = random_double(0, i, -1.0, 1.0);
    for (auto* array : {&heights, &prefixes, &row_totals}) array->upload();
    CUDA_CHECK(launch_prefix_row(heights.device, threads, n, prefixes.device, row_totals.device));
    prefixes.download();
    row_totals.download();
    print_output("prefixes", prefixes.host, prefixes.count);
    print_output("row_totals", row_totals.host, row_totals.count);
    return EXIT_SUCCESS;
}
