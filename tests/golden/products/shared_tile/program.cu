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

// Compute the soil creep. `elevations` has one ghost cell on each side.
__global__ void compute_crept_elevation(const float* __restrict__ elevations, float creep, float cell_size,
                                        float dt, float* __restrict__ new_elevations, int width) {
    const int block_y = blockIdx.x;
    const int block_x = blockIdx.y;
    __shared__ float elevations_halo[10][34];
    const int thread_y = threadIdx.y;
    const int thread_x = threadIdx.x;
    const int y = block_y * 8 + thread_y;
    const int x = block_x * 32 + thread_x;
    for (int row = threadIdx.y; row < 10; row += 8) {
        for (int column = threadIdx.x; column < 34; column += 32) {
            elevations_halo[row][column] =
                elevations[(block_y * 8 + row) * (width + 2) + block_x * 32 + column];
        }
    }
    __syncthreads();
    const float elevation = elevations_halo[thread_y + 1][thread_x + 1];
    const float up = elevations_halo[thread_y][thread_x + 1];
    const float down = elevations_halo[thread_y + 2][thread_x + 1];
    const float left = elevations_halo[thread_y + 1][thread_x];
    const float right = elevations_halo[thread_y + 1][thread_x + 2];
    new_elevations[y * width + x] =
        elevation + dt * creep * ((up + down + left + right - 4.0f * elevation) / (cell_size * cell_size));
}

cudaError_t launch_compute_crept_elevation(const float* elevations, float creep, float cell_size, float dt,
                                           float* new_elevations, int height, int width,
                                           cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    if ((int64_t(height) + 2) * (int64_t(width) + 2) > INT_MAX || int64_t(height) * width > INT_MAX)
        return cudaErrorInvalidValue;
    if (height % 8 != 0 || width % 32 != 0) return cudaErrorInvalidValue;
    // The kernel is written for blocks of this size.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 8);
    const dim3 grid(height / 8, width / 32);
    compute_crept_elevation<<<grid, block, 0, stream>>>(elevations, creep, cell_size, dt, new_elevations,
                                                        width);
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
    const int height = 24, width = 192;
    Array<float> elevations((height + 2) * (width + 2)), new_elevations(height * width);
    const float creep = 0.3050576f, cell_size = 1.161516f, dt = 0.009122458f;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    CUDA_CHECK(launch_compute_crept_elevation(elevations.device, creep, cell_size, dt, new_elevations.device,
                                              height, width));
    new_elevations.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_elevations.count; ++i) sum += new_elevations.host[i];
    std::printf("new_elevations: first %g, last %g, sum %.9g\n", new_elevations.host[0],
                new_elevations.host[new_elevations.count - 1], sum);
    return 0;
}
