#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int BLOCK = 128;

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for each of them.
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

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f) : value;
}

// Return the scale of a block from its largest magnitude: a power of two, so that scaling is exact.
__device__ float power_of_two_scale(float largest) {
    return powf(2.0f, floorf(log2f(fmaxf(largest, 1e-8f))) - 6.0f);
}

// Round to the nearest level from -127 to 127.
__device__ float round_to_level(float value) { return fminf(fmaxf(roundf(value), -127.0f), 127.0f); }

// Return the squared error of a restored value.
__device__ float squared_error(float value, float restored) {
    return (value - restored) * (value - restored);
}

// Measure what 8-bit blocks with power-of-two scales lose: the squared error and the power of each block,
// whose ratio is the noise-to-signal ratio.
// Blocks of 128 threads, one for each of 128 elements.
__global__ void quantization_error_by_block(const float* __restrict__ values, float* __restrict__ errors,
                                            float* __restrict__ powers) {
    const int block = blockIdx.x;
    const int tid = threadIdx.x;
    const float tile = values[block * BLOCK + tid];
    const float largest = block_max(fabsf(tile));
    const float scale = power_of_two_scale(largest);
    const float factor = 1.0f / scale;
    const float restored = round_to_level(tile * factor) * scale;
    const float total = block_reduce_sum(squared_error(tile, restored));
    if (tid == 0) errors[block] = total;
    __syncthreads();
    const float total2 = block_reduce_sum(tile * tile);
    if (tid == 0) powers[block] = total2;
}

cudaError_t launch_quantization_error_by_block(const float* values, float* errors, float* powers, int blocks,
                                               cudaStream_t stream = nullptr) {
    if (blocks <= 0) return cudaSuccess;
    if (blocks > INT_MAX / 128) return cudaErrorInvalidValue;
    constexpr unsigned block = BLOCK;
    const unsigned grid = blocks;
    quantization_error_by_block<<<grid, block, 0, stream>>>(values, errors, powers);
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
    const int blocks = 16;
    Array<float> values(128 * blocks), errors(blocks), powers(blocks);
    fill_uniform(values, 0x2370168f, -0.05, 0.05);
    CUDA_CHECK(launch_quantization_error_by_block(values.device, errors.device, powers.device, blocks));
    print_output("errors", errors);
    print_output("powers", powers);
    return 0;
}
