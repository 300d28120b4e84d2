#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Samples on a regular grid of cubic cells. origin is the position of the sample [0, 0, 0].
struct VoxelGrid {
    float3 origin;
    float spacing;
    const float* values;
    int values_planes;
    int values_rows;
    int values_cols;
};

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// Return a grid interpolated trilinearly at a position. Samples beyond the grid count as zero.
__device__ float sample(VoxelGrid grid, float3 p) {
    const float3 u = (p - grid.origin) / grid.spacing;
    const int i = int(floorf(u.x));
    const int j = int(floorf(u.y));
    const int k = int(floorf(u.z));
    const float3 f = u - make_float3(float(i), float(j), float(k));
    const int nx = grid.values_planes;
    const int ny = grid.values_rows;
    const int nz = grid.values_cols;
    float total = 0.0f;
    for (int a = 0; a < 2; ++a) {
        const int x = i + a;
        if (x < 0 || x >= nx) {
            continue;
        }
        const float wx = a == 0 ? 1.0f - f.x : f.x;
        for (int b = 0; b < 2; ++b) {
            const int y = j + b;
            if (y < 0 || y >= ny) {
                continue;
            }
            const float wxy = wx * (b == 0 ? 1.0f - f.y : f.y);
            for (int c = 0; c < 2; ++c) {
                const int z = k + c;
                if (z >= 0 && z < nz) {
                    const float wz = c == 0 ? 1.0f - f.z : f.z;
                    total += wxy * wz * grid.values[(x * grid.values_rows + y) * grid.values_cols + z];
                }
            }
        }
    }
    return total;
}

// Sample a grid at points in the world by trilinear interpolation. Samples beyond the grid count as zero.
__global__ void sample_grid(VoxelGrid grid, const float3* __restrict__ points, float* __restrict__ samples,
                            int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    samples[i] = sample(grid, points[i]);
}

cudaError_t launch_sample_grid(VoxelGrid grid, const float3* points, float* samples, int n,
                               cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned num_blocks = (n + block - 1) / block;
    sample_grid<<<num_blocks, block, 0, stream>>>(grid, points, samples, n);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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
    const int n = 1000, nx = 16, ny = 16, nz = 16;
    Array<float> grid_values(nx * ny * nz), samples(n);
    Array<float3, float> points(n);
    VoxelGrid grid{};
    grid.origin = make_float3(-1.1482866f, -0.826117f, -0.8791748f);
    grid.spacing = 0.1256322f;
    fill_uniform(grid_values, 0x8a2e10de, 0.0, 1.0);
    fill_uniform(points, 0x86a00a5c, -1.2, 1.2);
    grid.values = grid_values.device;
    grid.values_planes = 16;
    grid.values_rows = 16;
    grid.values_cols = 16;
    CUDA_CHECK(launch_sample_grid(grid, points.device, samples.device, n));
    samples.download();
    double sum = 0.0;
    for (size_t i = 0; i < samples.count; ++i) sum += samples.host[i];
    std::printf("samples: first %g, last %g, sum %.9g\n", samples.host[0], samples.host[samples.count - 1],
                sum);
    return 0;
}
