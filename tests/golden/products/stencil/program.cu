#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Set the vorticity at the walls of a lid-driven cavity from the stream function by Thom's formula. The lid
// is the last row and moves at lid_speed; the stream function is zero at all walls. A thread sets the two
// opposite wall points of a column or of an inner row, and the vorticity inside stays as it is.
__global__ void thom_boundary_condition(const float* __restrict__ psi, float lid_speed, float dx,
                                        float* __restrict__ zeta, int thread_count, int rows, int cols) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= thread_count) return;

    // all columns, then the rows between the corners
    if (k < cols) {
        zeta[k] = -2.0f * psi[cols + k] / (dx * dx);
        zeta[(rows - 1) * cols + k] = -2.0f * (psi[(rows - 2) * cols + k] / dx + lid_speed) / dx;
    } else {
        const int i = k - cols + 1;
        const int row_start = i * cols;
        zeta[row_start] = -2.0f * psi[row_start + 1] / (dx * dx);
        zeta[row_start + cols - 1] = -2.0f * psi[row_start + cols - 2] / (dx * dx);
    }
}

cudaError_t launch_thom_boundary_condition(const float* psi, float lid_speed, float dx, float* zeta,
                                           int thread_count, int rows, int cols,
                                           cudaStream_t stream = nullptr) {
    if (thread_count <= 0) return cudaSuccess;
    if (rows < 2 || cols < 2 || int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (thread_count + block - 1) / block;
    thom_boundary_condition<<<grid, block, 0, stream>>>(psi, lid_speed, dx, zeta, thread_count, rows, cols);
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
    const int rows = 19, cols = 48;
    Array<float> psi(rows * cols), zeta(rows * cols);
    const float lid_speed = 0.62816095f, dx = 0.104037896f;
    fill_uniform(psi, 0x2370168f, -0.2, 0.2);
    fill_uniform(zeta, 0x86a00a5c, -1.0, 1.0);
    CUDA_CHECK(
        launch_thom_boundary_condition(psi.device, lid_speed, dx, zeta.device, cols + rows - 2, rows, cols));
    zeta.download();
    double sum = 0.0;
    for (size_t i = 0; i < zeta.count; ++i) sum += zeta.host[i];
    std::printf("zeta: first %g, last %g, sum %.9g\n", zeta.host[0], zeta.host[zeta.count - 1], sum);
    return 0;
}
