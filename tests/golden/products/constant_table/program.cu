#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ float means[16];
__constant__ float whitening[256];

// Compute the similarity of each row as a rational function of the distance. The distance is computed to a
// shared mean after whitening.
__global__ void rational_similarity_kernel(const float* __restrict__ features, int num_features,
                                           float half_distance, float* __restrict__ similarities, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float total = 0.0f;
    for (int j = 0; j < num_features; ++j) {
        float whitened = 0.0f;
        for (int m = 0; m < num_features; ++m) {
            whitened += whitening[j * 16 + m] * (features[size_t(m) * n + i] - means[m]);
        }
        total += whitened * whitened;
    }
    const float distance = sqrtf(total);
    const float similarity = half_distance / (half_distance + distance);
    similarities[i] = similarity;
}

cudaError_t launch_rational_similarity_kernel(const float* features, int num_features, float half_distance,
                                              float* similarities, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    rational_similarity_kernel<<<grid, block, 0, stream>>>(features, num_features, half_distance,
                                                           similarities, n);
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
    const int n = 1000, features_size = 16;
    Array<float> features(features_size * n), similarities(n), means_(16), whitening_(16 * 16);
    const float half_distance = 0.96885145f;
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    fill_uniform(means_, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(whitening_, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(cudaMemcpyToSymbol(means, means_.host, sizeof(means)));
    CUDA_CHECK(cudaMemcpyToSymbol(whitening, whitening_.host, sizeof(whitening)));
    CUDA_CHECK(launch_rational_similarity_kernel(features.device, features_size, half_distance,
                                                 similarities.device, n));
    similarities.download();
    double sum = 0.0;
    for (size_t i = 0; i < similarities.count; ++i) sum += similarities.host[i];
    std::printf("similarities: first %g, last %g, sum %.9g\n", similarities.host[0],
                similarities.host[similarities.count - 1], sum);
    return 0;
}
