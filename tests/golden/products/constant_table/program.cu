#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ float components[48];

// Compute the energy of each row in the leading principal components.
__global__ void principal_energy_kernel(const float* __restrict__ features, int num_features,
                                        float* __restrict__ energies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float energy = 0.0f;
    for (int c = 0; c < 6; ++c) {
        float projection = 0.0f;
        for (int j = 0; j < num_features; ++j) {
            projection += features[size_t(j) * n + i] * components[c * 8 + j];
        }
        energy += projection * projection;
    }
    energies[i] = energy;
}

cudaError_t launch_principal_energy_kernel(const float* features, int num_features, float* energies, int n,
                                           cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    principal_energy_kernel<<<grid, block, 0, stream>>>(features, num_features, energies, n);
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
    const int n = 1000, features_size = 8;
    Array<float> features(features_size * n), energies(n), components_(6 * 8);
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    fill_uniform(components_, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(components, components_.host, sizeof(components)));
    CUDA_CHECK(launch_principal_energy_kernel(features.device, features_size, energies.device, n));
    energies.download();
    double sum = 0.0;
    for (size_t i = 0; i < energies.count; ++i) sum += energies.host[i];
    std::printf("energies: first %g, last %g, sum %.9g\n", energies.host[0],
                energies.host[energies.count - 1], sum);
    return 0;
}
