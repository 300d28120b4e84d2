#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Per-integer greatest common divisor by repeated subtraction.
__global__ void eval_greatest_common_divisor(const int* __restrict__ naturals,
                                             const int* __restrict__ other_naturals,
                                             int* __restrict__ divisors, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    int divisor = naturals[i];
    int b = other_naturals[i];
    while (divisor != b) {
        if (divisor > b) {
            divisor -= b;
        } else {
            b -= divisor;
        }
    }
    divisors[i] = divisor;
}

cudaError_t launch_eval_greatest_common_divisor(const int* naturals, const int* other_naturals, int* divisors,
                                                int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_greatest_common_divisor<<<grid, block, 0, stream>>>(naturals, other_naturals, divisors, n);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> naturals(n), other_naturals(n), divisors(n);
    fill_integers(naturals, 0x2370168f, 1, 601);
    fill_integers(other_naturals, 0x9c9df0a2, 1, 601);
    CUDA_CHECK(
        launch_eval_greatest_common_divisor(naturals.device, other_naturals.device, divisors.device, n));
    divisors.download();
    double sum = 0.0;
    for (size_t i = 0; i < divisors.count; ++i) sum += divisors.host[i];
    std::printf("divisors: first %g, last %g, sum %.9g\n", double(divisors.host[0]),
                double(divisors.host[divisors.count - 1]), sum);
    return 0;
}
