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

constexpr float DX = 0.36f;

// Compute the level-set gradient norm by central differences. Indices are clamped at the border.
__global__ void compute_central_slope_norm(const float* __restrict__ phi_field, int nx, int ny, int nz,
                                           float* __restrict__ grad_norms) {
    const int i = blockIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    const float west = phi_field[(max(i - 1, 0) * ny + j) * nz + k];
    const float east = phi_field[(min(i + 1, nx - 1) * ny + j) * nz + k];
    const float inv_2dx = 0.5f / DX;
    const float south = phi_field[(i * ny + max(j - 1, 0)) * nz + k];
    const float north = phi_field[(i * ny + min(j + 1, ny - 1)) * nz + k];
    const int row_start = (i * ny + j) * nz;
    const float bottom = phi_field[row_start + max(k - 1, 0)];
    const float top = phi_field[row_start + min(k + 1, nz - 1)];
    const float slope_x = (east - west) * inv_2dx;
    const float slope_y = (north - south) * inv_2dx;
    const float slope_z = (top - bottom) * inv_2dx;
    grad_norms[row_start + k] = sqrtf(slope_x * slope_x + slope_y * slope_y + slope_z * slope_z);
}

cudaError_t launch_compute_central_slope_norm(const float* phi_field, int nx, int ny, int nz,
                                              float* grad_norms, cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, nx);
    compute_central_slope_norm<<<grid, block, 0, stream>>>(phi_field, nx, ny, nz, grad_norms);
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
    const int nx = 11, ny = 10, nz = 8;
    Array<float> phi_field(nx * ny * nz), grad_norms(nx * ny * nz);
    fill_uniform(phi_field, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_compute_central_slope_norm(phi_field.device, nx, ny, nz, grad_norms.device));
    grad_norms.download();
    double sum = 0.0;
    for (size_t i = 0; i < grad_norms.count; ++i) sum += grad_norms.host[i];
    std::printf("grad_norms: first %g, last %g, sum %.9g\n", grad_norms.host[0],
                grad_norms.host[grad_norms.count - 1], sum);
    return 0;
}
