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

// Softmax over the last axis.
__global__ void stable_softmax(const float* __restrict__ logits, int cols, float* __restrict__ probabilities,
                               int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    const int row_start = row * cols;
    float largest = logits[row_start];
    for (int j = 1; j < cols; ++j) {
        largest = fmaxf(largest, logits[row_start + j]);
    }

    float total = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const float weight = expf(logits[row_start + j] - largest);
        total += weight;
        probabilities[row_start + j] = weight;
    }

    for (int j = 0; j < cols; ++j) {
        probabilities[row_start + j] /= total;
    }
}

cudaError_t launch_stable_softmax(const float* logits, int cols, float* probabilities, int rows,
                                  cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (rows + block - 1) / block;
    stable_softmax<<<grid, block, 0, stream>>>(logits, cols, probabilities, rows);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int rows = 16, cols = 64;
    Array<float> logits(rows * cols), probabilities(rows * cols);
    fill_uniform(logits, 0x2370168f, -8.0, 8.0);
    CUDA_CHECK(launch_stable_softmax(logits.device, cols, probabilities.device, rows));
    probabilities.download();
    double sum = 0.0;
    for (size_t i = 0; i < probabilities.count; ++i) sum += probabilities.host[i];
    std::printf("probabilities: first %g, last %g, sum %.9g\n", probabilities.host[0],
                probabilities.host[probabilities.count - 1], sum);
    return 0;
}
