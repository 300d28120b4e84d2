#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the Ginzburg-Landau free energy of each cell. Boundaries are periodic.
__global__ void compute_ginzburg_landau_free_energy(const float* __restrict__ phases, float gradient_energy,
                                                    float dx, int count, float* __restrict__ free_energies) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= count) return;

    const float phase = phases[cell];
    const float well = phase * phase - 1.0f;
    const int cell_prev = cell == 0 ? count - 1 : cell - 1;
    const float left = phases[cell_prev];
    const int cell_next = cell + 1 == count ? 0 : cell + 1;
    const float right = phases[cell_next];
    const float slope_x = (right - left) / (2.0f * dx);
    free_energies[cell] = 0.25f * well * well + 0.5f * gradient_energy * (slope_x * slope_x);
}

cudaError_t launch_compute_ginzburg_landau_free_energy(const float* phases, float gradient_energy, float dx,
                                                       int count, float* free_energies,
                                                       cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    if (count > 268435456) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    compute_ginzburg_landau_free_energy<<<grid, block, 0, stream>>>(phases, gradient_energy, dx, count,
                                                                    free_energies);
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
    const int n = 1000;
    Array<float> phases(n), free_energies(n);
    const float gradient_energy = 0.09177015f, dx = 0.11615159f;
    fill_uniform(phases, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_compute_ginzburg_landau_free_energy(phases.device, gradient_energy, dx, n,
                                                          free_energies.device));
    free_energies.download();
    double sum = 0.0;
    for (size_t i = 0; i < free_energies.count; ++i) sum += free_energies.host[i];
    std::printf("free_energies: first %g, last %g, sum %.9g\n", free_energies.host[0],
                free_energies.host[free_energies.count - 1], sum);
    return 0;
}
