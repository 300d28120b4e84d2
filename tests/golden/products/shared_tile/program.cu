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

constexpr float CREEP = 0.9f;

// Advance the elevation of each cell by soil creep. `elevations` has one ghost cell on each side. Each block
// stages a tile with its halo in shared memory.
__global__ void cell_elevation(const float* __restrict__ elevations, float cell_size, float dt,
                               float* __restrict__ new_elevations, int nx) {
    const int block_j = blockIdx.y;
    const int block_i = blockIdx.x;
    __shared__ float elevations_halo[10][34];
    const int local_j = threadIdx.y;
    const int local_i = threadIdx.x;
    const int j = block_j * 8 + local_j;
    const int i = block_i * 32 + local_i;
    for (int row = threadIdx.y; row < 10; row += 8) {
        const int row_start = (block_j * 8 + row) * (nx + 2);
        for (int column = threadIdx.x; column < 34; column += 32) {
            elevations_halo[row][column] = elevations[row_start + block_i * 32 + column];
        }
    }
    __syncthreads();
    const float elevation = elevations_halo[local_j + 1][local_i + 1];
    const float south = elevations_halo[local_j][local_i + 1];
    const float north = elevations_halo[local_j + 2][local_i + 1];
    const float west = elevations_halo[local_j + 1][local_i];
    const float east = elevations_halo[local_j + 1][local_i + 2];
    new_elevations[j * nx + i] =
        elevation + dt * CREEP * ((south + north + west + east - 4.0f * elevation) / (cell_size * cell_size));
}

cudaError_t launch_cell_elevation(const float* elevations, float cell_size, float dt, float* new_elevations,
                                  int ny, int nx, cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if ((int64_t(ny) + 2) * (int64_t(nx) + 2) > INT_MAX || int64_t(ny) * nx > INT_MAX)
        return cudaErrorInvalidValue;
    if (ny % 8 != 0 || nx % 32 != 0) return cudaErrorInvalidValue;
    // The kernel is written for blocks of this size.
    const dim3 block(32, 8);
    const dim3 grid(nx / 32, ny / 8);
    cell_elevation<<<grid, block, 0, stream>>>(elevations, cell_size, dt, new_elevations, nx);
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
    const int ny = 256, nx = 192;
    Array<float> elevations((ny + 2) * (nx + 2)), new_elevations(ny * nx);
    const float cell_size = 2.0252879f, dt = 0.0017672008f;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    CUDA_CHECK(launch_cell_elevation(elevations.device, cell_size, dt, new_elevations.device, ny, nx));
    new_elevations.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_elevations.count; ++i) sum += new_elevations.host[i];
    std::printf("new_elevations: first %g, last %g, sum %.9g\n", new_elevations.host[0],
                new_elevations.host[new_elevations.count - 1], sum);
    return 0;
}
