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

// Round to the nearest level from -127 to 127.
__device__ int round_to_level(float value) { return int(fminf(fmaxf(roundf(value), -127.0f), 127.0f)); }

// Quantize each block of numbers to 8 bits with a power-of-two scale, so that scaling is exact.
// Blocks of 128 threads, one for each of 128 elements.
__global__ void quantize_blocks(const float* __restrict__ values, int* __restrict__ levels,
                                float* __restrict__ scales) {
    const int block = blockIdx.x;
    const int tid = threadIdx.x;
    const float tile = values[block * BLOCK + tid];
    const float largest = block_max(fabsf(tile));
    const float exponent = floorf(log2f(fmaxf(largest, 1e-8f)));
    const float scale = powf(2.0f, exponent - 6.0f);
    const float factor = 1.0f / scale;
    const int quantized = round_to_level(tile * factor);
    if (tid == 0) scales[block] = scale;
    levels[block * BLOCK + tid] = quantized;
}

cudaError_t launch_quantize_blocks(const float* values, int* levels, float* scales, int blocks,
                                   cudaStream_t stream = nullptr) {
    if (blocks <= 0) return cudaSuccess;
    if (blocks > INT_MAX / 128) return cudaErrorInvalidValue;
    constexpr unsigned block = BLOCK;
    const unsigned grid = blocks;
    quantize_blocks<<<grid, block, 0, stream>>>(values, levels, scales);
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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int blocks = 16;
    Array<float> values(128 * blocks), scales(blocks);
    Array<int> levels(128 * blocks);
    fill_uniform(values, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_quantize_blocks(values.device, levels.device, scales.device, blocks));
    print_output("levels", levels);
    print_output("scales", scales);
    return 0;
}
