#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_max(float value) {
    __shared__ float partial[32];
    value = warp_max(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int warps = blockDim.x / 32;
    value = partial[0];
    for (int warp = 1; warp < warps; ++warp) {
        value = fmaxf(value, partial[warp]);
    }
    return value;
}

// CUDA has no atomic max of floating-point numbers: compare and swap the bits.
__device__ inline float max_atomically(float* address, float v) {
    unsigned int* const bits = reinterpret_cast<unsigned int*>(address);
    unsigned int seen = *static_cast<volatile unsigned int*>(bits);
    while (true) {
        const unsigned int wanted = __float_as_uint(fmaxf(__uint_as_float(seen), v));
        if (wanted == seen) break;
        const unsigned int found = atomicCAS(bits, seen, wanted);
        if (found == seen) break;
        seen = found;
    }
    return __uint_as_float(seen);
}

// Finds the largest confidence of all rows by logistic regression, a block at a time. The value is computed
// under a network of radial basis functions.
__global__ void compute_logistic_confidence(const float* __restrict__ features,
                                            const float* __restrict__ centroids,
                                            const float* __restrict__ cluster_weights, int count,
                                            int num_features, float bias, float* max_confidence) {
    const int block = blockIdx.x;
    const int lane = threadIdx.x;
    const int i = block * 256 + lane;
    float confidence = -1000000.0f;
    if (i < count) {
        float dot_product = 0.0f;
        for (int c = 0; c < 8; ++c) {
            float square = 0.0f;
            for (int j = 0; j < num_features; ++j) {
                const float gap = features[size_t(i) * 8 + j] - centroids[c * 8 + j];
                square += gap * gap;
            }
            dot_product += cluster_weights[c] * expf(-0.05f * square);
        }
        // 0 - x rather than -x: the negative of zero is zero, not negative zero.
        confidence = 1.0f / (1.0f + expf(fminf(fmaxf(-20.0f, 0.0f - (dot_product + bias)), 20.0f)));
    }
    const float block_max_ = block_max(confidence);
    if (lane == 0) {
        max_atomically(&max_confidence[0], block_max_);
    }
}

cudaError_t launch_compute_logistic_confidence(const float* features, const float* centroids,
                                               const float* cluster_weights, int count, int num_features,
                                               float bias, float* max_confidence, int count_of_blocks,
                                               cudaStream_t stream = nullptr) {
    if (count_of_blocks == 0) return cudaSuccess;
    // The kernel counts on blocks of this size.
    constexpr unsigned block = 256;
    const unsigned grid = count_of_blocks;
    compute_logistic_confidence<<<grid, block, 0, stream>>>(features, centroids, cluster_weights, count,
                                                            num_features, bias, max_confidence);
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
    const int n = 1000, features_size = 8, clusters = 8;
    Array<float> features(n * features_size), centroids(clusters * features_size), cluster_weights(clusters),
        max_confidence(1);
    const float bias = 0.6184555f;
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    fill_uniform(centroids, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(cluster_weights, 0x8a2e10de, -1.0, 1.0);
    for (size_t i = 0; i < max_confidence.count; ++i) max_confidence.host[i] = -1000000.0f;
    max_confidence.upload();
    CUDA_CHECK(launch_compute_logistic_confidence(features.device, centroids.device, cluster_weights.device,
                                                  n, features_size, bias, max_confidence.device,
                                                  (n + 255) / 256));
    max_confidence.download();
    double sum = 0.0;
    for (size_t i = 0; i < max_confidence.count; ++i) sum += max_confidence.host[i];
    std::printf("max_confidence: first %g, last %g, sum %.9g\n", max_confidence.host[0],
                max_confidence.host[max_confidence.count - 1], sum);
    return 0;
}
