#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Backpropagate through a threshold unit, which passes values above the threshold and is constant below,
// adding to dx.
__global__ void backward_threshold(const float* __restrict__ pre_activations, const float* __restrict__ dy,
                                   float threshold, float* __restrict__ dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (pre_activations[i] > threshold) {
        dx[i] += dy[i];
    }
}

cudaError_t launch_backward_threshold(const float* pre_activations, const float* dy, float threshold,
                                      float* dx, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    backward_threshold<<<grid, block, 0, stream>>>(pre_activations, dy, threshold, dx, n);
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
    Array<float> pre_activations(n), dy(n), dx(n);
    const float threshold = 0.2242274f;
    fill_uniform(pre_activations, 0x2370168f, -2.0, 2.0);
    fill_uniform(dy, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(dx, 0x86a00a5c, -1.0, 1.0);
    CUDA_CHECK(launch_backward_threshold(pre_activations.device, dy.device, threshold, dx.device, n));
    dx.download();
    double sum = 0.0;
    for (size_t i = 0; i < dx.count; ++i) sum += dx.host[i];
    std::printf("dx: first %g, last %g, sum %.9g\n", dx.host[0], dx.host[dx.count - 1], sum);
    return 0;
}
