#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float STAY_PROBABILITY = 0.85f;

// Filter the belief in one of two states along each column by the forward algorithm.
__global__ void forward_belief(const float* __restrict__ likelihood_ratios, float* __restrict__ beliefs,
                               int length, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;

    float belief = 0.5f;
    for (int j = 0; j < length; ++j) {
        const float prior = STAY_PROBABILITY * belief + (1.0f - STAY_PROBABILITY) * (1.0f - belief);
        const size_t index = size_t(j) * cols + col;
        const float odds = prior * likelihood_ratios[index];
        belief = odds / (odds + (1.0f - prior));
        beliefs[index] = belief;
    }
}

cudaError_t launch_forward_belief(const float* likelihood_ratios, float* beliefs, int length, int cols,
                                  cudaStream_t stream = nullptr) {
    if (cols == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (cols + block - 1) / block;
    forward_belief<<<grid, block, 0, stream>>>(likelihood_ratios, beliefs, length, cols);
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
    const int cols = 32, length = 64;
    Array<float> likelihood_ratios(length * cols), beliefs(length * cols);
    fill_uniform(likelihood_ratios, 0x2370168f, 0.2, 4.0);
    CUDA_CHECK(launch_forward_belief(likelihood_ratios.device, beliefs.device, length, cols));
    beliefs.download();
    double sum = 0.0;
    for (size_t i = 0; i < beliefs.count; ++i) sum += beliefs.host[i];
    std::printf("beliefs: first %g, last %g, sum %.9g\n", beliefs.host[0], beliefs.host[beliefs.count - 1],
                sum);
    return 0;
}
