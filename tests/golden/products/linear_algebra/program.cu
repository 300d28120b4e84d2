#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float STRENGTH = 0.9f;

// Richardson iteration (residual of a diagonally regularized system).
__global__ void richardson_unknown(const float* __restrict__ unknowns, const float* __restrict__ right_sides,
                                   const float* __restrict__ values, const int* __restrict__ band_offsets,
                                   int num_bands, int count, float step_length,
                                   float* __restrict__ new_unknowns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float unknown = unknowns[i];
    const float right_side = right_sides[i];
    float product = 0.0f;
    for (int band = 0; band < num_bands; ++band) {
        const int j = i + band_offsets[band];
        if (j >= 0 && j < count) {
            product += values[size_t(band) * count + i] * unknowns[j];
        }
    }
    const float residual = right_side - product - STRENGTH * unknown;
    new_unknowns[i] = unknown + step_length * residual;
}

cudaError_t launch_richardson_unknown(const float* unknowns, const float* right_sides, const float* values,
                                      const int* band_offsets, int num_bands, int count, float step_length,
                                      float* new_unknowns, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    richardson_unknown<<<grid, block, 0, stream>>>(unknowns, right_sides, values, band_offsets, num_bands,
                                                   count, step_length, new_unknowns);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000, bands = 7;
    Array<float> unknowns(n), right_sides(n), values(bands * n), new_unknowns(n);
    Array<int> band_offsets(bands);
    const float step_length = 0.55392885f;
    fill_uniform(unknowns, 0x2370168f, -1.0, 1.0);
    fill_uniform(right_sides, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(values, 0x8a2e10de, -1.0, 1.0);
    fill_integers(band_offsets, 0x86a00a5c, -9, 10);
    CUDA_CHECK(launch_richardson_unknown(unknowns.device, right_sides.device, values.device,
                                         band_offsets.device, bands, n, step_length, new_unknowns.device));
    new_unknowns.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_unknowns.count; ++i) sum += new_unknowns.host[i];
    std::printf("new_unknowns: first %g, last %g, sum %.9g\n", new_unknowns.host[0],
                new_unknowns.host[new_unknowns.count - 1], sum);
    return 0;
}
