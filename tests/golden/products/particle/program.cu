#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Potential energy from charge and potential.
__device__ float charge_energy(float charge, float potential) { return charge * potential; }

// Sum the mechanical energy of all particles of each group. The potential energy is computed from charge and
// potential.
// Precondition: elements of group_ids lie in [0, 64).
__global__ void compute_total_mechanical_energy(const float* __restrict__ kinetic_energies,
                                                const float* __restrict__ charges,
                                                const float* __restrict__ potentials,
                                                const int* __restrict__ group_ids,
                                                float* group_mechanical_energies, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ float shared_group_mechanical_energies[64];
    if (threadIdx.x < 64) shared_group_mechanical_energies[threadIdx.x] = 0.0f;
    __syncthreads();

    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        const float kinetic_energy = kinetic_energies[p];
        const float charge = charges[p];
        const float potential = potentials[p];
        const float potential_energy = charge_energy(charge, potential);
        const float mechanical_energy = kinetic_energy + potential_energy;
        const int group = group_ids[p];
        atomicAdd(&shared_group_mechanical_energies[group], mechanical_energy);
    }

    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&group_mechanical_energies[threadIdx.x], shared_group_mechanical_energies[threadIdx.x]);
    }
}

cudaError_t launch_compute_total_mechanical_energy(const float* kinetic_energies, const float* charges,
                                                   const float* potentials, const int* group_ids,
                                                   float* group_mechanical_energies, int n,
                                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_total_mechanical_energy<<<grid, block, 0, stream>>>(kinetic_energies, charges, potentials,
                                                                group_ids, group_mechanical_energies, n);
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

int main() {
    const int n = 1000, groups = 64;
    Array<float> kinetic_energies(n), charges(n), potentials(n), group_mechanical_energies(groups);
    Array<int> group_ids(n);
    fill_uniform(kinetic_energies, 0x2370168f, 0.0, 6.0);
    fill_uniform(charges, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(potentials, 0x8a2e10de, -1.0, 1.0);
    for (size_t i = 0; i < group_ids.count; ++i) group_ids.host[i] = pcg(0x86a00a5c + i) % groups;
    group_ids.upload();
    CUDA_CHECK(launch_compute_total_mechanical_energy(kinetic_energies.device, charges.device,
                                                      potentials.device, group_ids.device,
                                                      group_mechanical_energies.device, n));
    group_mechanical_energies.download();
    double sum = 0.0;
    for (size_t i = 0; i < group_mechanical_energies.count; ++i) sum += group_mechanical_energies.host[i];
    std::printf("group_mechanical_energies: first %g, last %g, sum %.9g\n", group_mechanical_energies.host[0],
                group_mechanical_energies.host[group_mechanical_energies.count - 1], sum);
    return 0;
}
