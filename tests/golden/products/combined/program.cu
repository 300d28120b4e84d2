#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// State of one sample.
struct Sample {
    float label;
    float logit;
};

// Margin from the signed label and the logit.
__device__ float signed_margin(float label, float logit) { return (2.0f * label - 1.0f) * logit; }

// Loss gradient by the derivative of the hinge.
__device__ float hinge_gradient(float margin, float label) {
    return margin < 1.0f ? 1.0f - 2.0f * label : 0.0f;
}

// Computes the loss gradient of each sample by the derivative of the hinge. The margin is computed from the
// signed label and the logit.
__global__ void compute_hinge_gradient(const Sample* __restrict__ samples, float* __restrict__ loss_gradients,
                                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Sample sample = samples[i];
    const float margin = signed_margin(sample.label, sample.logit);
    const float loss_gradient = hinge_gradient(margin, sample.label);
    loss_gradients[i] = loss_gradient;
}

cudaError_t launch_compute_hinge_gradient(const Sample* samples, float* loss_gradients, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_hinge_gradient<<<grid, block, 0, stream>>>(samples, loss_gradients, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
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

int main() {
    const int n = 1000;
    Array<Sample> samples(n);
    Array<float> loss_gradients(n);
    for (size_t i = 0; i < samples.count; ++i) {
        Sample& element = samples.host[i];
        const unsigned counter = 0x2370168f + 2 * i;
        element.label = random_uniform(counter, 0.0, 1.0);
        element.logit = random_uniform(counter + 1, -4.0, 4.0);
    }
    samples.upload();
    CUDA_CHECK(launch_compute_hinge_gradient(samples.device, loss_gradients.device, n));
    loss_gradients.download();
    double sum = 0.0;
    for (size_t i = 0; i < loss_gradients.count; ++i) sum += loss_gradients.host[i];
    std::printf("loss_gradients: first %g, last %g, sum %.9g\n", loss_gradients.host[0],
                loss_gradients.host[loss_gradients.count - 1], sum);
    return 0;
}
