#include <cuda_runtime.h>
#include <algorithm>
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

// Uniform in [0, 1), a multiple of 2^-24.
__device__ inline float random_float(uint32_t& state) {
    state = pcg_next(state);
    return (state >> 8) * (1.0f / 16777216.0f);
}

// Uniform in [low, high).
__device__ inline float random_float(uint32_t& state, float low, float high) {
    return (high - low) * random_float(state) + low;
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

// Sum the Metropolis second moment in a quartic well over all chains.
__global__ void compute_metropolis_second_moment(const float* __restrict__ inverse_temperatures,
                                                 const float* __restrict__ well_depths, int seed,
                                                 float step_size, float* total_second_moment, int n) {
    float thread_total = 0.0f;
    for (uint32_t idx = blockIdx.x * blockDim.x + threadIdx.x; idx < uint32_t(n);
         idx += gridDim.x * blockDim.x) {
        uint32_t rng = random_state(seed, idx);
        const float inverse_temperature = inverse_temperatures[idx];
        const float well_depth = well_depths[idx];
        float x = random_float(rng, -1.0f, 1.0f);
        float square_sum = 0.0f;
        for (int step = 0; step < 16; ++step) {
            const float trial = fminf(fmaxf(x + step_size * random_float(rng, -1.0f, 1.0f), -1.5f), 1.5f);
            const float rise = well_depth * trial * trial * trial * trial - well_depth * x * x * x * x;
            if (random_float(rng) < expf(-inverse_temperature * fmaxf(rise, 0.0f))) {
                x = trial;
            }
            square_sum += x * x;
        }
        const float second_moment = square_sum / 16.0f;
        thread_total += second_moment;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(total_second_moment, block_total);
}

cudaError_t launch_compute_metropolis_second_moment(const float* inverse_temperatures,
                                                    const float* well_depths, int seed, float step_size,
                                                    float* total_second_moment, int n,
                                                    cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    compute_metropolis_second_moment<<<grid, block, 0, stream>>>(inverse_temperatures, well_depths, seed,
                                                                 step_size, total_second_moment, n);
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
    Array<float> inverse_temperatures(n), well_depths(n), total_second_moment(1);
    const int seed = 9200;
    const float step_size = 0.45649868f;
    fill_uniform(inverse_temperatures, 0x2370168f, 0.5, 3.0);
    fill_uniform(well_depths, 0x9c9df0a2, 0.5, 2.0);
    CUDA_CHECK(launch_compute_metropolis_second_moment(inverse_temperatures.device, well_depths.device, seed,
                                                       step_size, total_second_moment.device, n));
    total_second_moment.download();
    std::printf("total_second_moment: %.9g\n", total_second_moment.host[0]);
    return 0;
}
