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

__device__ inline float component(float3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
__device__ inline float& component_ref(float3& a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length_squared(float3 a) { return dot(a, a); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Lennard-Jones force and energy of each particle from its neighbor list, with periodic images.
// Precondition: elements of neighbors lie in [0, n).
__global__ void lennard_jones_forces(const float3* __restrict__ coords, const int* __restrict__ neighbors,
                                     const int* __restrict__ neighbor_counts, float epsilon, float sigma,
                                     float cutoff, float box, float3* __restrict__ forces,
                                     float* __restrict__ energies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 here = coords[i];
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    float energy = 0.0f;
    const int k_end = neighbor_counts[i];
    for (int k = 0; k < k_end; ++k) {
        const int j = neighbors[size_t(k) * n + i];
        float3 d = here - coords[j];
        for (int axis = 0; axis < 3; ++axis) {
            component_ref(d, axis) = component(d, axis) - box * roundf(component(d, axis) / box);
        }
        const float r2 = length_squared(d);
        if (j != i && r2 < cutoff * cutoff && r2 > 0.01f) {
            const float s2 = sigma * sigma / r2;
            const float s6 = s2 * s2 * s2;
            force += 24.0f * epsilon * (2.0f * s6 * s6 - s6) / r2 * d;
            energy += 2.0f * epsilon * (s6 * s6 - s6);
        }
    }
    forces[i] = force;
    energies[i] = energy;
}

cudaError_t launch_lennard_jones_forces(const float3* coords, const int* neighbors,
                                        const int* neighbor_counts, float epsilon, float sigma, float cutoff,
                                        float box, float3* forces, float* energies, int n,
                                        cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    lennard_jones_forces<<<grid, block, 0, stream>>>(coords, neighbors, neighbor_counts, epsilon, sigma,
                                                     cutoff, box, forces, energies, n);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float3, float> coords(n), forces(n);
    Array<int> neighbors(12 * n), neighbor_counts(n);
    Array<float> energies(n);
    const float epsilon = 0.9274978f, sigma = 0.6937703f, cutoff = 2.8092277f, box = 4.0f;
    fill_uniform(coords, 0x2370168f, 0.0, 4.0);
    fill_integers(neighbors, 0x9c9df0a2, n);
    fill_integers(neighbor_counts, 0x8a2e10de, 13);
    CUDA_CHECK(launch_lennard_jones_forces(coords.device, neighbors.device, neighbor_counts.device, epsilon,
                                           sigma, cutoff, box, forces.device, energies.device, n));
    print_output("forces", forces);
    print_output("energies", energies);
    return 0;
}
