#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// integrate_nbody: Advance gravitating bodies by two steps of the kick-drift-kick leapfrog, and sum their
// kinetic energy.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float SOFTENING = 0.05f;

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length_squared(float3 a) { return dot(a, a); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

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

// Gravity of all bodies on each one, softened at short range.
__global__ void accelerate(const float3* __restrict__ positions, const float* __restrict__ masses, int count,
                           float3* __restrict__ accelerations) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float3 here = positions[i];
    float3 total = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < count; ++j) {
        const float3 to_other = positions[j] - here;
        const float r2 = length_squared(to_other) + SOFTENING * SOFTENING;
        total += masses[j] / (r2 * sqrtf(r2)) * to_other;
    }
    accelerations[i] = total;
}

cudaError_t launch_accelerate(const float3* positions, const float* masses, int count, float3* accelerations,
                              cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    accelerate<<<grid, block, 0, stream>>>(positions, masses, count, accelerations);
    return cudaGetLastError();
}

// Half a step of the velocities.
__global__ void kick(const float3* __restrict__ accelerations, float half_dt, float3* __restrict__ velocities,
                     int bodies) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bodies) return;

    velocities[i] = velocities[i] + half_dt * accelerations[i];
}

cudaError_t launch_kick(const float3* accelerations, float half_dt, float3* velocities, int bodies,
                        cudaStream_t stream) {
    if (bodies == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (bodies + block - 1) / block;
    kick<<<grid, block, 0, stream>>>(accelerations, half_dt, velocities, bodies);
    return cudaGetLastError();
}

// A step of the positions.
__global__ void drift(const float3* __restrict__ velocities, float dt, float3* __restrict__ positions,
                      int bodies) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bodies) return;

    positions[i] = positions[i] + dt * velocities[i];
}

cudaError_t launch_drift(const float3* velocities, float dt, float3* positions, int bodies,
                         cudaStream_t stream) {
    if (bodies == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (bodies + block - 1) / block;
    drift<<<grid, block, 0, stream>>>(velocities, dt, positions, bodies);
    return cudaGetLastError();
}

// Kinetic energy of all bodies.
__global__ void add_kinetic_energy(const float3* __restrict__ velocities, const float* __restrict__ masses,
                                   float* energy, int bodies) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float thread_total = i < bodies ? 0.5f * masses[i] * length_squared(velocities[i]) : 0.0f;

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(energy, block_total);
}

cudaError_t launch_add_kinetic_energy(const float3* velocities, const float* masses, float* energy,
                                      int bodies, cudaStream_t stream) {
    if (bodies == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (bodies + block - 1) / block;
    add_kinetic_energy<<<grid, block, 0, stream>>>(velocities, masses, energy, bodies);
    return cudaGetLastError();
}

cudaError_t launch_integrate_nbody(float3* positions, float3* velocities, const float* masses, int count,
                                   float dt, float half_dt, float3* accelerations, float* energy,
                                   cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_accelerate(positions, masses, count, accelerations, stream))
        return status;
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status = launch_kick(accelerations, half_dt, velocities, count, stream))
            return status;
        if (const cudaError_t status = launch_drift(velocities, dt, positions, count, stream)) return status;
        if (const cudaError_t status = launch_accelerate(positions, masses, count, accelerations, stream))
            return status;
        if (const cudaError_t status = launch_kick(accelerations, half_dt, velocities, count, stream))
            return status;
    }
    if (const cudaError_t status = cudaMemsetAsync(energy, 0, sizeof(*energy), stream)) return status;
    if (const cudaError_t status = launch_add_kinetic_energy(velocities, masses, energy, count, stream))
        return status;
    return cudaSuccess;
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float3, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int bodies = 256;
    Array<float3, float> positions(bodies), velocities(bodies), accelerations(bodies);
    Array<float> masses(bodies), energy(1);
    const float dt = 0.02f, half_dt = 0.01f;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_uniform(velocities, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(masses, 0x8a2e10de, 0.5, 1.5);
    CUDA_CHECK(launch_integrate_nbody(positions.device, velocities.device, masses.device, bodies, dt, half_dt,
                                      accelerations.device, energy.device));
    print_output("positions", positions);
    print_output("velocities", velocities);
    print_output("accelerations", accelerations);
    energy.download();
    std::printf("energy: %.9g\n", energy.host[0]);
    return 0;
}
