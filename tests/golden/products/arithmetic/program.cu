#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Find the largest magnitude of each row.
__global__ void maximum_norm_kernel(const float* __restrict__ features, float* __restrict__ norms, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    float norm = fabsf(features[size_t(row) * 12]);
    for (int j = 1; j < 12; ++j) {
        norm = fmaxf(norm, fabsf(features[size_t(row) * 12 + j]));
    }
    norms[row] = norm;
}

cudaError_t launch_maximum_norm_kernel(const float* features, float* norms, int n,
                                       cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    maximum_norm_kernel<<<grid, block, 0, stream>>>(features, norms, n);
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
    const int n = 1000, features_size = 12;
    Array<float> features(n * features_size), norms(n);
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    CUDA_CHECK(launch_maximum_norm_kernel(features.device, norms.device, n));
    norms.download();
    double sum = 0.0;
    for (size_t i = 0; i < norms.count; ++i) sum += norms.host[i];
    std::printf("norms: first %g, last %g, sum %.9g\n", norms.host[0], norms.host[norms.count - 1], sum);
    return 0;
}
