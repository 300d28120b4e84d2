#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

// Sum of the values of a warp, returned to all of its threads.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of a block, returned to its first thread.
__device__ inline int block_reduce_sum(int value) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0) : value;
}

// Seed one random number generator per site.
__global__ void seed_sites(int seed, uint32_t* __restrict__ rng_states, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    rng_states[index] = random_state(seed, index);
}

cudaError_t launch_seed_sites(int seed, uint32_t* rng_states, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    seed_sites<<<grid, block, 0, stream>>>(seed, rng_states, count);
    return cudaGetLastError();
}

// Flip the spins of one color of the checkerboard with the Metropolis probability, on a periodic lattice.
// Height and width must be even, so that all their neighbors have the other color.
__global__ void update_color(float beta, float field, int parity, uint32_t* __restrict__ rng_states,
                             int* __restrict__ spins, int height, int half_width, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int half_x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || half_x >= half_width) return;

    const int x = 2 * half_x + ((y + parity) & 1);
    const int left = x > 0 ? x - 1 : width - 1;
    const int right = x < width - 1 ? x + 1 : 0;
    const int up = y > 0 ? y - 1 : height - 1;
    const int down = y < height - 1 ? y + 1 : 0;
    const int row_start = y * width;
    int neighbor_sum = spins[row_start + right] + spins[row_start + left];
    neighbor_sum += spins[down * width + x] + spins[up * width + x];
    const int index = row_start + x;
    uint32_t rng = rng_states[index];
    const float energy_change = 2.0f * float(spins[index]) * (float(neighbor_sum) + field);
    if (random_float(rng) < expf(-beta * energy_change)) {
        spins[index] = -spins[index];
    }
    rng_states[index] = rng;
}

cudaError_t launch_update_color(float beta, float field, int parity, uint32_t* rng_states, int* spins,
                                int height, int half_width, int width, cudaStream_t stream) {
    if (height <= 0 || half_width <= 0) return cudaSuccess;
    if (half_width > width / 2 || int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((half_width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    update_color<<<grid, block, 0, stream>>>(beta, field, parity, rng_states, spins, height, half_width,
                                             width);
    return cudaGetLastError();
}

// Sum the spins of the lattice, its magnetization.
__global__ void measure(const int* __restrict__ spins, int* magnetization, int count) {
    int thread_total = 0;
    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < uint32_t(count);
         index += gridDim.x * blockDim.x) {
        thread_total += spins[index];
    }

    // One atomic per block: one per thread would serialize on one address.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(magnetization, block_total);
}

cudaError_t launch_measure(const int* spins, int* magnetization, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    // About 1,024 blocks keep a GPU busy: their threads stride over the other elements.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    measure<<<grid, block, 0, stream>>>(spins, magnetization, count);
    return cudaGetLastError();
}

// Run 3 Metropolis sweeps of the two-dimensional Ising model in a magnetic field, then measure its
// magnetization.
cudaError_t launch_simulate_ising(float beta, float field, int seed, uint32_t* rng_states, int* spins,
                                  int* magnetization, int height, int width, cudaStream_t stream = nullptr) {
    if (height < 0 || width < 0 || int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    const int half_width = width / 2;
    if (const cudaError_t status = cudaMemsetAsync(magnetization, 0, sizeof(*magnetization), stream))
        return status;
    if (const cudaError_t status = launch_seed_sites(seed, rng_states, height * width, stream)) return status;
    for (int repetition = 0; repetition < 3; ++repetition) {
        if (const cudaError_t status =
                launch_update_color(beta, field, 0, rng_states, spins, height, half_width, width, stream))
            return status;
        if (const cudaError_t status =
                launch_update_color(beta, field, 1, rng_states, spins, height, half_width, width, stream))
            return status;
    }
    return launch_measure(spins, magnetization, height * width, stream);
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int width = 32, height = 38;
    Array<uint32_t> rng_states(height * width);
    Array<int> spins(height * width), magnetization(1);
    const float beta = 0.25171345f, field = 0.16534488f;
    const int seed = 6540;
    for (size_t i = 0; i < spins.count; ++i) spins.host[i] = 1;
    spins.upload();
    CUDA_CHECK(launch_simulate_ising(beta, field, seed, rng_states.device, spins.device, magnetization.device,
                                     height, width));
    print_output("rng_states", rng_states);
    print_output("spins", spins);
    magnetization.download();
    std::printf("magnetization: %d\n", magnetization.host[0]);
    return 0;
}
