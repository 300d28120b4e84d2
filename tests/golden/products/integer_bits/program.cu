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

// The bits of x, 3 places apart.
__device__ uint32_t expand_bits(uint32_t x) {
    uint32_t v = x & 1023u;
    v = (v | (v << 16)) & 0x30000FFu;
    v = (v | (v << 8)) & 0x300F00Fu;
    v = (v | (v << 4)) & 0x30C30C3u;
    v = (v | (v << 2)) & 0x9249249u;
    return v;
}

// Morton code of each position in 3 dimensions, z in the lowest bits. The code chooses an entry of a table of
// 32.
__global__ void morton_code(const float3* __restrict__ positions, const float* __restrict__ palette,
                            float* __restrict__ entries, int n) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const float3 position = positions[particle];
    const uint32_t cell_x = uint32_t(fminf(fmaxf(0.0f, position.x * 512.0f), 511.0f));
    const uint32_t cell_y = uint32_t(fminf(fmaxf(0.0f, position.y * 512.0f), 511.0f));
    const uint32_t cell_z = uint32_t(fminf(fmaxf(0.0f, position.z * 512.0f), 511.0f));
    const uint32_t morton = (expand_bits(cell_z) | (expand_bits(cell_y) << 1)) + (expand_bits(cell_x) << 2);
    const int slot = int((morton >> 22) & 31u);
    const float entry = palette[slot];
    entries[particle] = entry;
}

cudaError_t launch_morton_code(const float3* positions, const float* palette, float* entries, int n,
                               cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    morton_code<<<grid, block, 0, stream>>>(positions, palette, entries, n);
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

int main() {
    const int n = 1000, entries_size = 32;
    Array<float3, float> positions(n);
    Array<float> palette(entries_size), entries(n);
    fill_uniform(positions, 0x2370168f, 0.0, 1.0);
    fill_uniform(palette, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_morton_code(positions.device, palette.device, entries.device, n));
    entries.download();
    double sum = 0.0;
    for (size_t i = 0; i < entries.count; ++i) sum += entries.host[i];
    std::printf("entries: first %g, last %g, sum %.9g\n", entries.host[0], entries.host[entries.count - 1],
                sum);
    return 0;
}
