#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Exclusive prefix maxima of the scores along each row.
__global__ void prefix_row(const int64_t* __restrict__ scores, int64_t* __restrict__ cumulative, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    int64_t running = -1000ll;
    for (int step = 0; step < 6; ++step) {
        const int index = row * 6 + step;
        const int64_t x = scores[index];
        cumulative[index] = running;
        running = max(running, x);
    }
}

cudaError_t launch_prefix_row(const int64_t* scores, int64_t* cumulative, int n,
                              cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    prefix_row<<<grid, block, 0, stream>>>(scores, cumulative, n);
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

void fill_integers(Array<int64_t>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int64_t> scores(6 * n), cumulative(6 * n);
    fill_integers(scores, 0x2370168f, -5, 9);
    CUDA_CHECK(launch_prefix_row(scores.device, cumulative.device, n));
    cumulative.download();
    double sum = 0.0;
    for (size_t i = 0; i < cumulative.count; ++i) sum += cumulative.host[i];
    std::printf("cumulative: first %g, last %g, sum %.9g\n", double(cumulative.host[0]),
                double(cumulative.host[cumulative.count - 1]), sum);
    return 0;
}
