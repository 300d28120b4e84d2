#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Step learning-rate decay.
__global__ void compute_step_learning_rate_decay(const float* __restrict__ progress_values, float base_rate,
                                                 float first_milestone, float second_milestone,
                                                 float decay_factor, float* __restrict__ learning_rates,
                                                 int n) {
    const int step = blockIdx.x * blockDim.x + threadIdx.x;
    if (step >= n) return;

    const float progress = progress_values[step];
    float learning_rate;
    if (progress < first_milestone) {
        learning_rate = base_rate;
    } else if (progress < second_milestone) {
        learning_rate = decay_factor * base_rate;
    } else {
        learning_rate = decay_factor * decay_factor * base_rate;
    }
    learning_rates[step] = learning_rate;
}

cudaError_t launch_compute_step_learning_rate_decay(const float* progress_values, float base_rate,
                                                    float first_milestone, float second_milestone,
                                                    float decay_factor, float* learning_rates, int n,
                                                    cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_step_learning_rate_decay<<<grid, block, 0, stream>>>(
        progress_values, base_rate, first_milestone, second_milestone, decay_factor, learning_rates, n);
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
    const int n = 1000;
    Array<float> progress_values(n), learning_rates(n);
    const float base_rate = 0.20252879f, first_milestone = 0.3080758f, second_milestone = 0.68549955f,
                decay_factor = 0.22502705f;
    fill_uniform(progress_values, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_compute_step_learning_rate_decay(progress_values.device, base_rate, first_milestone,
                                                       second_milestone, decay_factor, learning_rates.device,
                                                       n));
    learning_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < learning_rates.count; ++i) sum += learning_rates.host[i];
    std::printf("learning_rates: first %g, last %g, sum %.9g\n", learning_rates.host[0],
                learning_rates.host[learning_rates.count - 1], sum);
    return 0;
}
