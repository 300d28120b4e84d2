#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Take an AdaDelta step.
__global__ void adadelta_step(const float* __restrict__ grads, float rho, float epsilon,
                              float* __restrict__ params, float* __restrict__ square_avg,
                              float* __restrict__ delta_avg, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float g = grads[i];
    square_avg[i] = rho * square_avg[i] + (1.0f - rho) * g * g;
    const float delta = g * sqrtf((delta_avg[i] + epsilon) / (square_avg[i] + epsilon));
    delta_avg[i] = rho * delta_avg[i] + (1.0f - rho) * delta * delta;
    params[i] -= delta;
}

cudaError_t launch_adadelta_step(const float* grads, float rho, float epsilon, float* params,
                                 float* square_avg, float* delta_avg, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    adadelta_step<<<grid, block, 0, stream>>>(grads, rho, epsilon, params, square_avg, delta_avg, n);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float> grads(n), params(n), square_avg(n), delta_avg(n);
    const float rho = 0.923069f, epsilon = 0.000499752f;
    fill_uniform(grads, 0x2370168f, -1.0, 1.0);
    fill_uniform(params, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(square_avg, 0x14cd5bc2, 0.01, 0.5);
    fill_uniform(delta_avg, 0xa44fd9fd, 0.01, 0.1);
    CUDA_CHECK(launch_adadelta_step(grads.device, rho, epsilon, params.device, square_avg.device,
                                    delta_avg.device, n));
    print_output("params", params);
    print_output("square_avg", square_avg);
    print_output("delta_avg", delta_avg);
    return 0;
}
