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

// Rank of a chosen one among the 8 keys of each row. The rank is divided by 2. The larger of the result and
// what is stored is kept.
// Precondition: elements of chosen lie in [0, width).
__global__ void order_in_row(const float* __restrict__ scores, const int* __restrict__ chosen,
                             int* __restrict__ largest_ranks, int n, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int pick = chosen[i];
    const size_t row_start = size_t(i) * width;
    const float mine = scores[row_start + pick];
    int rank = 0;
    for (int j = 0; j < 8; ++j) {
        const float other = scores[row_start + j];
        if (other > mine) {
            rank += 1;
        }
    }
    largest_ranks[i] = max(largest_ranks[i], rank / 2);
}

cudaError_t launch_order_in_row(const float* scores, const int* chosen, int* largest_ranks, int n, int width,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    order_in_row<<<grid, block, 0, stream>>>(scores, chosen, largest_ranks, n, width);
    return cudaGetLastError();
}

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

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
    const int n = 1000, width = 8;
    Array<float> scores(n * width);
    Array<int> chosen(n), largest_ranks(n);
    for (size_t i = 0; i < scores.count; ++i) scores.host[i] = random_uniform(0, i, -1.0, 1.0);
    for (size_t i = 0; i < chosen.count; ++i) {
        chosen.host[i] = random_integer(1, i, 0, width);
        largest_ranks.host[i] = random_integer(2, i, 0, 5);
    }
    scores.upload();
    chosen.upload();
    largest_ranks.upload();
    CUDA_CHECK(launch_order_in_row(scores.device, chosen.device, largest_ranks.device, n, width));
    largest_ranks.download();
    print_output("largest_ranks", largest_ranks.host, largest_ranks.count);
    return EXIT_SUCCESS;
}
