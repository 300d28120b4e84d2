#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Weight that vanishes at the cutoff.
__device__ float falloff(float r, float cutoff) {
    const float q = fmaxf(1.0f - r / cutoff, 0.0f);
    return q * (2.0f - q);
}

// Repulsion from the neighbours of each particle within a cutoff. Unlike charges attract each other. Lists
// have lengths of their own.
// Precondition: elements of neighbors lie in [0, n).
__global__ void neighbor_force(const float3* __restrict__ positions, const int* __restrict__ neighbors,
                               const float* __restrict__ charges, const int* __restrict__ neighbor_counts,
                               float cutoff, float3* __restrict__ forces, int n, int slots) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const float charge = charges[particle];
    const int listed = neighbor_counts[particle];
    const float3 position = positions[particle];
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    for (int slot = 0; slot < listed; ++slot) {
        const int j = neighbors[size_t(particle) * slots + slot];
        if (j == particle) {
            continue;
        }
        const float3 offset = position - positions[j];
        const float r = length(offset);
        force += charge * charges[j] * falloff(r, cutoff) * offset;
    }
    forces[particle] = force;
}

cudaError_t launch_neighbor_force(const float3* positions, const int* neighbors, const float* charges,
                                  const int* neighbor_counts, float cutoff, float3* forces, int n, int slots,
                                  cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    neighbor_force<<<grid, block, 0, stream>>>(positions, neighbors, charges, neighbor_counts, cutoff, forces,
                                               n, slots);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000, slots = 4;
    Array<float3, float> positions(n), forces(n);
    Array<int> neighbors(n * slots), neighbor_counts(n);
    Array<float> charges(n);
    const float cutoff = 1.3125677f;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_integers(neighbors, 0x9c9df0a2, 0, n);
    fill_uniform(charges, 0x8a2e10de, -1.0, 1.0);
    fill_integers(neighbor_counts, 0x86a00a5c, 1, 5);
    CUDA_CHECK(launch_neighbor_force(positions.device, neighbors.device, charges.device,
                                     neighbor_counts.device, cutoff, forces.device, n, slots));
    forces.download();
    double sum = 0.0;
    for (size_t i = 0; i < forces.count; ++i) sum += forces.host[i];
    std::printf("forces: first %g, last %g, sum %.9g\n", forces.host[0], forces.host[forces.count - 1], sum);
    return 0;
}
