#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// One step of the PCG hash (Jarzynski and Olano, Hash Functions for GPU Rendering).
__device__ inline uint32_t pcg_next(uint32_t x) {
    const uint32_t state = x * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// The state of generator number `sequence` under a seed.
__device__ inline uint32_t random_state(int seed, int sequence) {
    return pcg_next(seed + pcg_next(sequence));
}

// Uniform over 32 bits.
__device__ inline uint32_t random_uint(uint32_t& state) { return state = pcg_next(state); }

// Uniform in [low, high).
__device__ inline int random_int(uint32_t& state, int low, int high) {
    return static_cast<int>(random_uint(state) % (high - low) + low);
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

// Standard deviation of bootstrap replicates, drawn from the sample with replacement; the moments give its
// standard error.
__global__ void resample_deviation(const float* __restrict__ data, int sample_size, int seed,
                                   float* __restrict__ deviations, float* moments, int replicates) {
    float thread_moments_0 = 0.0f;
    float thread_moments_1 = 0.0f;
    for (uint32_t replicate = blockIdx.x * blockDim.x + threadIdx.x; replicate < uint32_t(replicates);
         replicate += gridDim.x * blockDim.x) {
        uint32_t rng = random_state(seed, replicate);
        float x_sum = 0.0f;
        float xx_sum = 0.0f;
        for (int _draw = 0; _draw < sample_size; ++_draw) {
            const int k = random_int(rng, 0, sample_size);
            const float dx = data[k] - data[0];
            x_sum += dx;
            xx_sum += dx * dx;
        }
        const float x_mean = x_sum / float(sample_size);
        const float value = sqrtf(fmaxf(xx_sum / float(sample_size) - x_mean * x_mean, 0.0f));
        deviations[replicate] = value;
        thread_moments_0 += value;
        thread_moments_1 += value * value;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_moments_0 = block_reduce_sum(thread_moments_0);
    __syncthreads();
    const float block_moments_1 = block_reduce_sum(thread_moments_1);
    if (threadIdx.x == 0) {
        atomicAdd(moments, block_moments_0);
        atomicAdd(&moments[1], block_moments_1);
    }
}

cudaError_t launch_resample_deviation(const float* data, int sample_size, int seed, float* deviations,
                                      float* moments, int replicates, cudaStream_t stream = nullptr) {
    if (replicates <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((replicates + block - 1) / block, 1024);
    resample_deviation<<<grid, block, 0, stream>>>(data, sample_size, seed, deviations, moments, replicates);
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
    const int replicates = 126;
    Array<float> data(64), deviations(replicates), moments(2);
    const int seed = 6540;
    fill_uniform(data, 0x2370168f, 0.0, 3.0);
    CUDA_CHECK(
        launch_resample_deviation(data.device, 64, seed, deviations.device, moments.device, replicates));
    print_output("deviations", deviations);
    print_output("moments", moments);
    return 0;
}
