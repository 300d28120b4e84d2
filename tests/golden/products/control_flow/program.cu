#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Find the largest number on the Collatz path (n / 2 or 3 n + 1) from each number to one; numbers below two
// are their own peak.
__global__ void hailstone_height(const int* __restrict__ values, int64_t* __restrict__ peaks, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    // paths of 32-bit numbers climb beyond 32 bits
    int64_t value = int64_t(values[i]);
    int64_t peak = value;
    while (value > 1) {
        if ((value & 1) == 0) {
            value >>= 1;
        } else {
            value = 3 * value + 1;
        }
        peak = max(peak, value);
    }
    peaks[i] = peak;
}

cudaError_t launch_hailstone_height(const int* values, int64_t* peaks, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    hailstone_height<<<grid, block, 0, stream>>>(values, peaks, n);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> values(n);
    Array<int64_t> peaks(n);
    fill_integers(values, 0x2370168f, 1, 3000);
    CUDA_CHECK(launch_hailstone_height(values.device, peaks.device, n));
    peaks.download();
    double sum = 0.0;
    for (size_t i = 0; i < peaks.count; ++i) sum += peaks.host[i];
    std::printf("peaks: first %g, last %g, sum %.9g\n", double(peaks.host[0]),
                double(peaks.host[peaks.count - 1]), sum);
    return 0;
}
