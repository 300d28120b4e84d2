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

// The bits of x, 2 places apart.
__device__ uint32_t expand_bits(uint32_t x) {
    uint32_t v = x & 65535u;
    v = (v | (v << 8)) & 0xFF00FFu;
    v = (v | (v << 4)) & 0xF0F0F0Fu;
    v = (v | (v << 2)) & 0x33333333u;
    v = (v | (v << 1)) & 0x55555555u;
    return v;
}

// Morton code of each cell in 2 dimensions, x in the lowest bits. Three bits of the code decide whether the
// amplitude changes its sign.
__global__ void morton_code(const int* __restrict__ cells_x, const int* __restrict__ cells_y,
                            const float* __restrict__ amplitudes, float* __restrict__ outputs, int n) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const uint32_t morton =
        expand_bits(uint32_t(cells_x[particle])) | (expand_bits(uint32_t(cells_y[particle])) << 1);
    const float amplitude = amplitudes[particle];
    float signed_number = amplitude;
    if (morton >> 29 < 3u) {
        // 0 - x rather than -x: the negative of zero is zero, not negative zero.
        signed_number = 0.0f - amplitude;
    }
    outputs[particle] = signed_number;
}

cudaError_t launch_morton_code(const int* cells_x, const int* cells_y, const float* amplitudes,
                               float* outputs, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    morton_code<<<grid, block, 0, stream>>>(cells_x, cells_y, amplitudes, outputs, n);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> cells_x(n), cells_y(n);
    Array<float> amplitudes(n), outputs(n);
    fill_integers(cells_x, 0x2370168f, 65536);
    fill_integers(cells_y, 0x9c9df0a2, 65536);
    fill_uniform(amplitudes, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_morton_code(cells_x.device, cells_y.device, amplitudes.device, outputs.device, n));
    outputs.download();
    double sum = 0.0;
    for (size_t i = 0; i < outputs.count; ++i) sum += outputs.host[i];
    std::printf("outputs: first %g, last %g, sum %.9g\n", outputs.host[0], outputs.host[outputs.count - 1],
                sum);
    return 0;
}
