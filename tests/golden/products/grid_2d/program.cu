#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// restrict_residual: Three red-black sweeps, then the residual on the coarse grid.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Gauss-Seidel update of the interior points of one color, for -laplace(phi) = rhs.
__global__ void smooth(const float* rhs, float h2, int parity, float* phi, int rows, int cols, int phi_rows,
                       int phi_cols, int rhs_cols) {
    const int i = blockIdx.x * blockDim.y + threadIdx.y;
    const int j = blockIdx.y * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;
    if (i == 0 || j == 0 || i == phi_rows - 1 || j == phi_cols - 1) return;
    if ((i + j) % 2 != parity) return;

    const size_t index = size_t(i) * phi_cols + j;
    const float neighbors = phi[index - phi_cols] + phi[index + phi_cols] + phi[index - 1] + phi[index + 1];
    phi[index] = 0.25f * (neighbors + h2 * rhs[size_t(i) * rhs_cols + j]);
}

cudaError_t launch_smooth(const float* rhs, float h2, int parity, float* phi, int rows, int cols,
                          int phi_rows, int phi_cols, int rhs_cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y and z: the first dimension goes along its x.
    const dim3 block(32, 8);
    const dim3 grid((rows + block.y - 1) / block.y, (cols + block.x - 1) / block.x);
    smooth<<<grid, block, 0, stream>>>(rhs, h2, parity, phi, rows, cols, phi_rows, phi_cols, rhs_cols);
    return cudaGetLastError();
}

// Residual of the five-point Poisson equation, zero on the border.
__global__ void compute_residual(const float* __restrict__ phi, const float* __restrict__ rhs, float h2,
                                 float* __restrict__ r, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const size_t index = size_t(i) * cols + j;
    if (i == 0 || j == 0 || i == rows - 1 || j == cols - 1) {
        r[index] = 0.0f;
        return;
    }
    const float neighbors = phi[index - cols] + phi[index + cols] + phi[index - 1] + phi[index + 1];
    r[index] = rhs[index] - (4.0f * phi[index] - neighbors) / h2;
}

cudaError_t launch_compute_residual(const float* phi, const float* rhs, float h2, float* r, int rows,
                                    int cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    compute_residual<<<grid, block, 0, stream>>>(phi, rhs, h2, r, rows, cols);
    return cudaGetLastError();
}

// Half weighting of the residual on the coarse grid, zero on its border.
__global__ void restrict_to_coarse(const float* __restrict__ r, float* __restrict__ coarse, int coarse_rows,
                                   int coarse_cols, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= coarse_rows || j >= coarse_cols) return;

    const int index = i * coarse_cols + j;
    if (i == 0 || j == 0 || i == coarse_rows - 1 || j == coarse_cols - 1) {
        coarse[index] = 0.0f;
        return;
    }
    const int y = 2 * i;
    const int x = 2 * j;
    const size_t r_index = size_t(y) * cols + x;
    const float edges = r[r_index - cols] + r[r_index + cols] + r[r_index - 1] + r[r_index + 1];
    coarse[index] = 0.5f * r[r_index] + 0.125f * edges;
}

cudaError_t launch_restrict_to_coarse(const float* r, float* coarse, int coarse_rows, int coarse_cols,
                                      int cols, cudaStream_t stream) {
    if (coarse_rows == 0 || coarse_cols == 0) return cudaSuccess;
    if (int64_t(coarse_rows) * coarse_cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((coarse_cols + block.x - 1) / block.x, (coarse_rows + block.y - 1) / block.y);
    restrict_to_coarse<<<grid, block, 0, stream>>>(r, coarse, coarse_rows, coarse_cols, cols);
    return cudaGetLastError();
}

cudaError_t launch_restrict_residual(const float* rhs, float h2, int red, int black, float* r, float* coarse,
                                     float* phi, int n, cudaStream_t stream = nullptr) {
    const int rows = 2 * ((n + 63) / 64 + 3) - 1;
    constexpr int cols = 33;
    const int coarse_rows = (n + 63) / 64 + 3;
    constexpr int coarse_cols = 17;
    for (int repetition = 0; repetition < 3; ++repetition) {
        if (const cudaError_t status = launch_smooth(rhs, h2, red, phi, rows, cols, rows, cols, cols, stream))
            return status;
        if (const cudaError_t status =
                launch_smooth(rhs, h2, black, phi, rows, cols, rows, cols, cols, stream))
            return status;
    }
    if (const cudaError_t status = launch_compute_residual(phi, rhs, h2, r, rows, cols, stream))
        return status;
    if (const cudaError_t status =
            launch_restrict_to_coarse(r, coarse, coarse_rows, coarse_cols, cols, stream))
        return status;
    return cudaSuccess;
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, coarse_rows = 19, coarse_cols = 17, rows = 37, cols = 33;
    Array<float> rhs(rows * cols), r(rows * cols), coarse(coarse_rows * coarse_cols), phi(rows * cols);
    const float h2 = 1.0f;
    const int red = {}, black = 1;
    fill_uniform(rhs, 0x2370168f, -1.0, 1.0);
    fill_uniform(phi, 0xf07bd7fc, -1.0, 1.0);
    CUDA_CHECK(launch_restrict_residual(rhs.device, h2, red, black, r.device, coarse.device, phi.device, n));
    print_output("r", r);
    print_output("coarse", coarse);
    print_output("phi", phi);
    return 0;
}
