#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Number of rising runs among 6 keys in a row from each element on, the last one repeated.
__global__ void order_in_row(const double* __restrict__ times, int count, int* __restrict__ run_counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    int runs = 1;
    double before = times[i];
    for (int j = 1; j < 6; ++j) {
        const double now = times[min(i + j, count - 1)];
        if (now < before) {
            runs += 1;
        }
        before = now;
    }
    run_counts[i] = runs;
}

cudaError_t launch_order_in_row(const double* times, int count, int* run_counts,
                                cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    order_in_row<<<grid, block, 0, stream>>>(times, count, run_counts);
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
    const int n = 1000;
    Array<double> times(n);
    Array<int> run_counts(n);
    fill_uniform(times, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_order_in_row(times.device, n, run_counts.device));
    run_counts.download();
    double sum = 0.0;
    for (size_t i = 0; i < run_counts.count; ++i) sum += run_counts.host[i];
    std::printf("run_counts: first %g, last %g, sum %.9g\n", double(run_counts.host[0]),
                double(run_counts.host[run_counts.count - 1]), sum);
    return 0;
}
