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

__constant__ float class_shares[8];

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

// Standard normal, by the method of Box and Muller; the small term keeps the logarithm finite.
__device__ inline float random_normal(uint32_t& state) {
    const float radius = sqrtf(-2.0f * logf(random_float(state) + 5.96e-8f));
    return radius * cosf(6.28318531f * random_float(state));
}

// Draw the normal deviate of each sample by a rational quantile function. The uniform number is computed by a
// hash of the sample number. Also store the deviate from Student's distribution with four degrees of freedom
// and the class by a table of cumulative shares.
__global__ void draw_normal_deviate(int seed, float* __restrict__ normal_deviates,
                                    float* __restrict__ deviates, int* __restrict__ choices, int n) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n) return;

    const uint32_t word = uint32_t(tid) * 0x2C9277B5u + 0xAC564B05u;
    const uint32_t mixed = ((word >> ((word >> 28) + 4u)) ^ word) * 277803737u;
    const float uniform_number = float(mixed >> 8) / 16777216.0f;
    const float share = fminf(fmaxf(1e-6f, uniform_number), 0.999999f);
    const float least = fminf(share, 1.0f - share);
    const float t = sqrtf(-2.0f * logf(least));
    const float quantile = t - (2.515517f + t * (0.802853f + t * 0.010328f)) /
                                   (1.0f + t * (1.432788f + t * (0.189269f + t * 0.001308f)));
    // 0 - x rather than -x: the negative of zero is zero, not negative zero.
    const float normal_deviate = share < 0.5f ? 0.0f - quantile : quantile;
    normal_deviates[tid] = normal_deviate;
    uint32_t state = random_state(seed, tid);
    float squares = 0.0f;
    for (int iteration = 0; iteration < 4; ++iteration) {
        const float other = random_normal(state);
        squares += other * other;
    }
    const float deviate = normal_deviate / sqrtf(fmaxf(0.25f * squares, 0.01f));
    deviates[tid] = deviate;
    float total = 0.0f;
    int choice = 7;
    for (int c = 0; c < 8; ++c) {
        total += class_shares[c];
        if (uniform_number < total) {
            choice = c;
            break;
        }
    }
    choices[tid] = choice;
}

cudaError_t launch_draw_normal_deviate(int seed, float* normal_deviates, float* deviates, int* choices, int n,
                                       cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    draw_normal_deviate<<<grid, block, 0, stream>>>(seed, normal_deviates, deviates, choices, n);
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
    const int n = 1000;
    Array<float> normal_deviates(n), deviates(n), class_shares_(8);
    Array<int> choices(n);
    const int seed = 4515;
    fill_uniform(class_shares_, 0x2370168f, 0.05, 0.15);
    CUDA_CHECK(cudaMemcpyToSymbol(class_shares, class_shares_.host, sizeof(class_shares)));
    CUDA_CHECK(launch_draw_normal_deviate(seed, normal_deviates.device, deviates.device, choices.device, n));
    print_output("normal_deviates", normal_deviates);
    print_output("deviates", deviates);
    print_output("choices", choices);
    return 0;
}
