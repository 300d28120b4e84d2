#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the entropy of each row under the softmax, with the softmax denominator relative to the largest
// logit.
__global__ void softmax_entropy_kernel(const float* __restrict__ logits, int num_classes,
                                       float* __restrict__ entropies, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    float max_logit = logits[row];
    for (int j = 1; j < num_classes; ++j) {
        max_logit = fmaxf(max_logit, logits[size_t(j) * n + row]);
    }
    float exponential_sum = 0.0f;
    for (int j = 0; j < num_classes; ++j) {
        exponential_sum += expf(logits[size_t(j) * n + row] - max_logit);
    }
    float mean_logit = 0.0f;
    for (int j = 0; j < num_classes; ++j) {
        const float relative = logits[size_t(j) * n + row] - max_logit;
        mean_logit += relative * expf(relative);
    }
    const float entropy = logf(exponential_sum) - mean_logit / exponential_sum;
    entropies[row] = entropy;
}

cudaError_t launch_softmax_entropy_kernel(const float* logits, int num_classes, float* entropies, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    softmax_entropy_kernel<<<grid, block, 0, stream>>>(logits, num_classes, entropies, n);
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
    const int n = 1000, classes = 16;
    Array<float> logits(classes * n), entropies(n);
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    CUDA_CHECK(launch_softmax_entropy_kernel(logits.device, classes, entropies.device, n));
    entropies.download();
    double sum = 0.0;
    for (size_t i = 0; i < entropies.count; ++i) sum += entropies.host[i];
    std::printf("entropies: first %g, last %g, sum %.9g\n", entropies.host[0],
                entropies.host[entropies.count - 1], sum);
    return 0;
}
