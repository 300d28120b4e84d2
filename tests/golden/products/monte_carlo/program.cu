#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Settings for anneal.
struct AnnealParams {
    float step_size;
    float inverse_temperature;
};

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

// The energy of a washboard.
__device__ float energy(float place) { return 0.5f * (place * place) + 0.8f * cosf(4.0f * place); }

// Where 10 cooling Metropolis steps in the energy of a washboard end.
__global__ void anneal(const int* __restrict__ seeds, const float* __restrict__ starts, int nx,
                       AnnealParams options, int* __restrict__ accepted_steps, float* __restrict__ places,
                       int ny) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= ny * nx) return;

    uint32_t rng = random_state(seeds[index], index);
    float x = starts[index];
    float beta = options.inverse_temperature;
    int accepted = 0;
    for (int step = 0; step < 10; ++step) {
        const float trial = x + options.step_size * random_float(rng, -1.0f, 1.0f);
        const float own_energy = energy(x);
        const float rise = energy(trial) - own_energy;
        if (random_float(rng) < expf(-beta * fmaxf(rise, 0.0f))) {
            x = trial;
            accepted += 1;
        }
        beta *= 1.3f;
    }
    accepted_steps[index] = accepted;
    places[index] = x;
}

cudaError_t launch_anneal(const int* seeds, const float* starts, int nx, AnnealParams options,
                          int* accepted_steps, float* places, int ny, cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(ny) * nx;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    anneal<<<grid, block, 0, stream>>>(seeds, starts, nx, options, accepted_steps, places, ny);
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
    const int ny = 100, nx = 10;
    Array<int> seeds(ny * nx), accepted_steps(ny * nx);
    Array<float> starts(ny * nx), places(ny * nx);
    AnnealParams options{};
    options.step_size = 0.39924845f;
    options.inverse_temperature = 0.6588758f;
    for (size_t i = 0; i < seeds.count; ++i) seeds.host[i] = pcg(0x2370168f + i) % 10001;
    seeds.upload();
    fill_uniform(starts, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(
        launch_anneal(seeds.device, starts.device, nx, options, accepted_steps.device, places.device, ny));
    print_output("accepted_steps", accepted_steps);
    print_output("places", places);
    return 0;
}
