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

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2& operator+=(float2& a, float2 b) { return a = a + b; }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

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

__device__ inline float& component_ref(float2& a, int i) { return i == 0 ? a.x : a.y; }

// Brownian dynamics step from the screened Coulomb force.
// Precondition: elements of neighbors lie in [0, n).
__global__ void brownian_dynamics_step(const float2* __restrict__ positions,
                                       const int* __restrict__ neighbors,
                                       const int* __restrict__ neighbor_counts, float cutoff, float strength,
                                       float screening_length, float mobility, float temperature, float dt,
                                       int seed, float2* __restrict__ new_positions, int n) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const float2 position = positions[particle];
    float2 force = make_float2(0.0f, 0.0f);
    const int slot_end = neighbor_counts[particle];
    for (int slot = 0; slot < slot_end; ++slot) {
        const float2 offset = position - positions[neighbors[size_t(slot) * n + particle]];
        const float distance = fmaxf(length(offset), 0.15f);
        if (distance < cutoff) {
            const float energy = strength * expf(-distance / screening_length) / distance;
            force += energy * (1.0f / distance + 1.0f / screening_length) / distance * offset;
        }
    }
    const float spread = sqrtf(2.0f * mobility * temperature * dt);
    uint32_t state = random_state(seed, particle);
    float2 noise = make_float2(0.0f, 0.0f);
    for (int axis = 0; axis < 2; ++axis) {
        component_ref(noise, axis) = random_normal(state);
    }
    new_positions[particle] = position + mobility * dt * force + spread * noise;
}

cudaError_t launch_brownian_dynamics_step(const float2* positions, const int* neighbors,
                                          const int* neighbor_counts, float cutoff, float strength,
                                          float screening_length, float mobility, float temperature, float dt,
                                          int seed, float2* new_positions, int n,
                                          cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    brownian_dynamics_step<<<grid, block, 0, stream>>>(positions, neighbors, neighbor_counts, cutoff,
                                                       strength, screening_length, mobility, temperature, dt,
                                                       seed, new_positions, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

void fill_uniform(Array<float2, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, max_neighbors = 8;
    Array<float2, float> positions(n), new_positions(n);
    Array<int> neighbors(max_neighbors * n), neighbor_counts(n);
    const float cutoff = 0.77099913f, strength = 0.76262176f, screening_length = 0.6855367f,
                mobility = 0.27696443f, temperature = 0.8602828f, dt = 0.022047898f;
    const int seed = 104;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_integers(neighbors, 0x9c9df0a2, n);
    fill_integers(neighbor_counts, 0x8a2e10de, max_neighbors);
    CUDA_CHECK(launch_brownian_dynamics_step(positions.device, neighbors.device, neighbor_counts.device,
                                             cutoff, strength, screening_length, mobility, temperature, dt,
                                             seed, new_positions.device, n));
    new_positions.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_positions.count; ++i) sum += new_positions.host[i];
    std::printf("new_positions: first %g, last %g, sum %.9g\n", new_positions.host[0],
                new_positions.host[new_positions.count - 1], sum);
    return 0;
}
