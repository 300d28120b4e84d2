#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int WIDTH = 256;

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
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp_max(partial[lane < blockDim.x / 32 ? lane : 0]);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
}

// Softmax of each row times a scale; a block holds the row.
// Blocks of 256 threads, one for each of 256 elements.
__global__ void scaled_block_softmax(const float* __restrict__ scores, float scale,
                                     float* __restrict__ weights) {
    const int row = blockIdx.x;
    const int tid = threadIdx.x;
    const size_t index = size_t(row) * WIDTH + tid;
    float values = scores[index];
    values *= scale;
    const float largest = block_max(values);
    const float exps = expf(values - largest);
    const float total = block_sum(exps);
    const float factor = 1.0f / total;
    weights[index] = exps * factor;
}

cudaError_t launch_scaled_block_softmax(const float* scores, float scale, float* weights, int rows,
                                        cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    constexpr unsigned block = WIDTH;
    const unsigned grid = rows;
    scaled_block_softmax<<<grid, block, 0, stream>>>(scores, scale, weights);
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
    const int rows = 16;
    Array<float> scores(rows * 256), weights(rows * 256);
    const float scale = 0.6075864f;
    fill_uniform(scores, 0x2370168f, -6.0, 6.0);
    CUDA_CHECK(launch_scaled_block_softmax(scores.device, scale, weights.device, rows));
    weights.download();
    double sum = 0.0;
    for (size_t i = 0; i < weights.count; ++i) sum += weights.host[i];
    std::printf("weights: first %g, last %g, sum %.9g\n", weights.host[0], weights.host[weights.count - 1],
                sum);
    return 0;
}
