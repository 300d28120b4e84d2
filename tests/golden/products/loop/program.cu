#include <cuda_runtime.h>
#include <climits>
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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
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
    const int rows = 12, cols = 84;
    Array<int> active(rows * cols), numbers(rows * cols), checksums(rows * cols);
    for (size_t i = 0; i < active.count; ++i) {
        active.host[i] = random_integer(0, i, 0, 2);
        numbers.host[i] = random_integer(1, i, 0, 100000);
    }
    for (auto* array : {&active, &numbers, &checksums}) array->upload();
    CUDA_CHECK(launch_digit_checksum(active.device, numbers.device, cols, checksums.device, rows));
    checksums.download();
    print_output("checksums", checksums.host, checksums.count);
    return EXIT_SUCCESS;
}
