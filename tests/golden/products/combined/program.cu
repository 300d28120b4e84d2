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

// Weight that vanishes at the cutoff.
__device__ float kernel_weight(float r, float cutoff) {
    const float q = fmaxf(1.0f - r / cutoff, 0.0f);
    return sqrtf(q);
}

// Repulsion from the neighbours of each particle within a cutoff. Elements that are not enabled are skipped.
// A table of 3 by 3 kinds has the strengths. The previous value is subtracted from the force.
// Precondition: elements of neighbor_ids lie in [0, n).
// Precondition: elements of kinds lie in [0, 3).
__global__ void neighbor_force(const int* __restrict__ enabled, const float2* __restrict__ positions,
                               const int* __restrict__ neighbor_ids, const int* __restrict__ kinds,
                               const float* __restrict__ strengths, const float2* __restrict__ previous,
                               float2* __restrict__ forces, int n, int slots) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;
    if (enabled[particle] == 0) return;

    const float2 position = positions[particle];
    const int kind = kinds[particle];
    float2 force = make_float2(0.0f, 0.0f);
    for (int slot = 0; slot < 6; ++slot) {
        const int j = neighbor_ids[size_t(particle) * slots + slot];
        if (j == particle) {
            continue;
        }
        const float2 offset = position - positions[j];
        const float r = length(offset);
        force += strengths[kind * 3 + kinds[j]] * kernel_weight(r, 1.5f) * offset;
    }
    const float2 previous_value = previous[particle];
    forces[particle] = force - previous_value;
}

cudaError_t launch_neighbor_force(const int* enabled, const float2* positions, const int* neighbor_ids,
                                  const int* kinds, const float* strengths, const float2* previous,
                                  float2* forces, int n, int slots, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    neighbor_force<<<grid, block, 0, stream>>>(enabled, positions, neighbor_ids, kinds, strengths, previous,
                                               forces, n, slots);
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
    const int n = 1000, slots = 6;
    Array<int> enabled(n), neighbor_ids(n * slots), kinds(n);
    Array<float2, float> positions(n), previous(n), forces(n);
    Array<float> strengths(3 * 3);
    fill_integers(enabled, 0x2370168f, 2);
    fill_uniform(positions, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(neighbor_ids, 0x8a2e10de, n);
    fill_integers(kinds, 0x86a00a5c, 3);
    fill_uniform(strengths, 0x14cd5bc2, -1.0, 2.0);
    fill_uniform(previous, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(launch_neighbor_force(enabled.device, positions.device, neighbor_ids.device, kinds.device,
                                     strengths.device, previous.device, forces.device, n, slots));
    forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < forces.count; ++i) sum += forces.host[i];
    std::printf("forces: first %g, last %g, sum %.9g\n", forces.host[0], forces.host[forces.count - 1], sum);
    return 0;
}
