#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Parameters of all edges.
struct EdgeParams {
    float damping;
};

constexpr float LOWEST = -3.4028235e38f;

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_max(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warps = blockDim.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_max(partial[lane % warps]);
}

// CUDA has no atomic max of floating-point numbers. The bits of positive ones are in their order, as signed
// integers; those of negative ones in the opposite order, as unsigned ones.
__device__ inline void max_atomically(float* address, float v) {
    const float seen = *static_cast<volatile float*>(address);
    if (!(v > seen)) return;  // as most do not, and NaN
    if (signbit(v)) {
        atomicMin(reinterpret_cast<unsigned int*>(address), __float_as_uint(v));
    } else {
        atomicMax(reinterpret_cast<int*>(address), __float_as_int(v));
    }
}

// Largest damped Hooke tension of all edges. One atomic per block.
// Precondition: elements of sources and targets are indices of positions and velocities.
__global__ void compute_damped_tension(const int* __restrict__ sources, const float2* __restrict__ positions,
                                       const int* __restrict__ targets,
                                       const float* __restrict__ rest_lengths,
                                       const float* __restrict__ stiffnesses,
                                       const float2* __restrict__ velocities, int count, EdgeParams options,
                                       float* max_tension) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x;
    float tension = LOWEST;
    if (edge < count) {
        const int source = sources[edge];
        const float2 source_position = positions[source];
        const int target = targets[edge];
        const float2 target_position = positions[target];
        const float2 offset = target_position - source_position;
        const float length_ = length(offset);
        const float rest_length = rest_lengths[edge];
        const float strain = (length_ - rest_length) / rest_length;
        const float stiffness = stiffnesses[edge];
        const float2 source_velocity = velocities[source];
        const float2 target_velocity = velocities[target];
        tension = stiffness * strain +
                  options.damping * (dot(target_velocity - source_velocity, offset) / fmaxf(length_, 0.001f));
    }
    const float block_largest = block_max(tension);
    if (threadIdx.x == 0) {
        max_atomically(max_tension, block_largest);
    }
}

cudaError_t launch_compute_damped_tension(const int* sources, const float2* positions, const int* targets,
                                          const float* rest_lengths, const float* stiffnesses,
                                          const float2* velocities, int count, EdgeParams options,
                                          float* max_tension, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // The kernel is written for blocks of this size.
    constexpr unsigned block = 64;
    const unsigned grid = (count + block - 1) / block;
    compute_damped_tension<<<grid, block, 0, stream>>>(sources, positions, targets, rest_lengths, stiffnesses,
                                                       velocities, count, options, max_tension);
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, num_nodes = 333;
    Array<int> sources(n), targets(n);
    Array<float2, float> positions(num_nodes), velocities(num_nodes);
    Array<float> rest_lengths(n), stiffnesses(n), max_tension(1);
    EdgeParams options{};
    options.damping = 0.55711883f;
    fill_integers(sources, 0x2370168f, num_nodes);
    fill_uniform(positions, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(targets, 0x8a2e10de, num_nodes);
    fill_uniform(rest_lengths, 0x86a00a5c, 0.3, 1.0);
    fill_uniform(stiffnesses, 0x14cd5bc2, 1.0, 20.0);
    fill_uniform(velocities, 0xa44fd9fd, -1.0, 1.0);
    for (size_t i = 0; i < max_tension.count; ++i) max_tension.host[i] = -3.4028235e38f;
    max_tension.upload();
    CUDA_CHECK(launch_compute_damped_tension(sources.device, positions.device, targets.device,
                                             rest_lengths.device, stiffnesses.device, velocities.device, n,
                                             options, max_tension.device));
    max_tension.download();
    std::printf("max_tension: %.9g\n", max_tension.host[0]);
    return 0;
}
