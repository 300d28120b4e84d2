#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float DAMPING = 0.9f;

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Compute the tension of each edge by Hooke's law with damping along the edge. Take the length from the
// offset and the strain against the rest length.
// Precondition: elements of sources and targets are indices of positions and velocities.
__global__ void damped_tension_kernel(const int* __restrict__ sources, const float2* __restrict__ positions,
                                      const int* __restrict__ targets,
                                      const __half* __restrict__ rest_lengths,
                                      const __half* __restrict__ stiffnesses,
                                      const float2* __restrict__ velocities, __half* __restrict__ tensions,
                                      int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int source = sources[i];
    const float2 source_position = positions[source];
    const int target = targets[i];
    const float2 target_position = positions[target];
    const float2 offset = target_position - source_position;
    const float length_ = length(offset);
    const float rest_length = float(rest_lengths[i]);
    const float strain = (length_ - rest_length) / rest_length;
    const float stiffness = float(stiffnesses[i]);
    const float2 source_velocity = velocities[source];
    const float2 target_velocity = velocities[target];
    const float tension = stiffness * strain +
                          DAMPING * (dot(target_velocity - source_velocity, offset) / fmaxf(length_, 0.001f));
    tensions[i] = __half(tension);
}

cudaError_t launch_damped_tension_kernel(const int* sources, const float2* positions, const int* targets,
                                         const __half* rest_lengths, const __half* stiffnesses,
                                         const float2* velocities, __half* tensions, int n,
                                         cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    damped_tension_kernel<<<grid, block, 0, stream>>>(sources, positions, targets, rest_lengths, stiffnesses,
                                                      velocities, tensions, n);
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

template <typename T, typename Number>
void fill_uniform(Array<T, Number>& x, unsigned seed, double low, double high) {
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
    Array<__half> rest_lengths(n), stiffnesses(n), tensions(n);
    fill_integers(sources, 0x2370168f, num_nodes);
    fill_uniform(positions, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(targets, 0x8a2e10de, num_nodes);
    fill_uniform(rest_lengths, 0x86a00a5c, 0.3, 1.0);
    fill_uniform(stiffnesses, 0x14cd5bc2, 1.0, 20.0);
    fill_uniform(velocities, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(launch_damped_tension_kernel(sources.device, positions.device, targets.device,
                                            rest_lengths.device, stiffnesses.device, velocities.device,
                                            tensions.device, n));
    tensions.download();
    double sum = 0.0;
    for (size_t i = 0; i < tensions.count; ++i) sum += float(tensions.host[i]);
    std::printf("tensions: first %g, last %g, sum %.9g\n", float(tensions.host[0]),
                float(tensions.host[tensions.count - 1]), sum);
    return 0;
}
