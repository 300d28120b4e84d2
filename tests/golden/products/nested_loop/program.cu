#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ float cosine_basis[64];

// Energy in the higher DCT bands.
__global__ void eval_cosine_band_energy(const float* __restrict__ samples, int first_band,
                                        float* __restrict__ band_energies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float band_energy = 0.0f;
    for (int band = first_band; band < 8; ++band) {
        float level = 0.0f;
        for (int j = 0; j < 8; ++j) {
            level += cosine_basis[8 * band + j] * samples[size_t(i) * 8 + j];
        }
        band_energy += level * level;
    }
    band_energies[i] = band_energy;
}

cudaError_t launch_eval_cosine_band_energy(const float* samples, int first_band, float* band_energies, int n,
                                           cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_cosine_band_energy<<<grid, block, 0, stream>>>(samples, first_band, band_energies, n);
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
    const int n = 1000, samples_size = 8;
    Array<float> samples(n * samples_size), band_energies(n), cosine_basis_(64);
    const int first_band = 1;
    fill_uniform(samples, 0x2370168f, -128.0, 127.0);
    fill_uniform(cosine_basis_, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(cosine_basis, cosine_basis_.host, sizeof(cosine_basis)));
    CUDA_CHECK(launch_eval_cosine_band_energy(samples.device, first_band, band_energies.device, n));
    band_energies.download();
    double sum = 0.0;
    for (size_t i = 0; i < band_energies.count; ++i) sum += band_energies.host[i];
    std::printf("band_energies: first %g, last %g, sum %.9g\n", band_energies.host[0],
                band_energies.host[band_energies.count - 1], sum);
    return 0;
}
