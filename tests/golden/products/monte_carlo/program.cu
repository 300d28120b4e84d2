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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int ny = 100, nx = 10;
    Array<int> seeds(ny * nx), accepted_steps(ny * nx);
    Array<float> starts(ny * nx), places(ny * nx);
    AnnealParams options{};
    options.step_size = random_uniform(3, 0, 0.1, 0.8);
    options.inverse_temperature = random_uniform(3, 1, 0.5, 2.0);
    for (size_t i = 0; i < seeds.count; ++i) {
        seeds.host[i] = random_integer(0, i, 0, 10001);
        starts.host[i] = random_uniform(1, i, -1.0, 1.0);
    }
    seeds.upload();
    accepted_steps.upload();
    starts.upload();
    places.upload();
    CUDA_CHECK(
        launch_anneal(seeds.device, starts.device, nx, options, accepted_steps.device, places.device, ny));
    accepted_steps.download();
    places.download();
    print_output("accepted_steps", accepted_steps.host, accepted_steps.count);
    print_output("places", places.host, places.count);
    return EXIT_SUCCESS;
}
