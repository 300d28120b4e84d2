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

// Checksum over the digits of each number in base 2. Elements that are not active are skipped. The checksum
// is divided by 4. The output is flat, in row-major order.
__global__ void digit_checksum(const int* __restrict__ active, const int* __restrict__ numbers, int cols,
                               int* __restrict__ checksums, int rows) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= rows * cols) return;
    if (active[place] == 0) return;

    int rest = numbers[place];
    int digit_sum = 0;
    while (rest > 0) {
        const int digit = rest % 2;
        digit_sum += digit;
        rest /= 2;
    }
    checksums[place] = digit_sum / 4;
}

cudaError_t launch_digit_checksum(const int* active, const int* numbers, int cols, int* checksums, int rows,
                                  cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(rows) * cols;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    digit_checksum<<<grid, block, 0, stream>>>(active, numbers, cols, checksums, rows);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int rows = 12, cols = 84;
    Array<int> active(rows * cols), numbers(rows * cols), checksums(rows * cols);
    fill_integers(active, 0x2370168f, 2);
    fill_integers(numbers, 0x9c9df0a2, 100000);
    CUDA_CHECK(launch_digit_checksum(active.device, numbers.device, cols, checksums.device, rows));
    checksums.download();
    double sum = 0.0;
    for (size_t i = 0; i < checksums.count; ++i) sum += checksums.host[i];
    std::printf("checksums: first %g, last %g, sum %.9g\n", double(checksums.host[0]),
                double(checksums.host[checksums.count - 1]), sum);
    return 0;
}
