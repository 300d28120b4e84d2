#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// Spread the mass of each particle over the 4 nearest nodes with bilinear weights, on a periodic grid.
__global__ void particle_to_grid(const float2* __restrict__ positions, const float* __restrict__ masss,
                                 float inv_cell, int num_cells, float* grid, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float mass = masss[p];
    const float2 scaled = positions[p] * inv_cell;
    const int i = int(floorf(scaled.x));
    const int j = int(floorf(scaled.y));
    const float fx = scaled.x - float(i);
    const float fy = scaled.y - float(j);
    for (int di = 0; di < 2; ++di) {
        for (int dj = 0; dj < 2; ++dj) {
            const float weight = (di == 0 ? 1.0f - fx : fx) * (dj == 0 ? 1.0f - fy : fy);
            atomicAdd(&grid[wrap_index((i + di) % num_cells, num_cells) * num_cells +
                            wrap_index((j + dj) % num_cells, num_cells)],
                      weight * mass);
        }
    }
}

cudaError_t launch_particle_to_grid(const float2* positions, const float* masss, float inv_cell,
                                    int num_cells, float* grid, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    if (int64_t(num_cells) * num_cells > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid_ = (n + block - 1) / block;
    particle_to_grid<<<grid_, block, 0, stream>>>(positions, masss, inv_cell, num_cells, grid, n);
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
    const int n = 1000, cells = 40;
    Array<float2, float> positions(n);
    Array<float> masss(n), grid(cells * cells);
    const float inv_cell = 1.0f;
    fill_uniform(positions, 0x2370168f, 0.5, 20.0);
    fill_uniform(masss, 0x9c9df0a2, 0.5, 1.5);
    CUDA_CHECK(launch_particle_to_grid(positions.device, masss.device, inv_cell, cells, grid.device, n));
    grid.download();
    double sum = 0.0;
    for (size_t i = 0; i < grid.count; ++i) sum += grid.host[i];
    std::printf("grid: first %g, last %g, sum %.9g\n", grid.host[0], grid.host[grid.count - 1], sum);
    return 0;
}
