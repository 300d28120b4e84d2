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

// Update the interior points of one color of the checkerboard by Gauss-Seidel for -laplace(phi) = rhs. `h2`
// is the square of the grid spacing.
__global__ void smooth(const float* __restrict__ rhs, float h2, int parity, float* __restrict__ phi, int rows,
                       int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;
    if (i == 0 || j == 0 || i == rows - 1 || j == cols - 1) return;
    if (((i + j) & 1) != parity) return;

    const size_t index = size_t(i) * cols + j;
    const float neighbors = phi[index - cols] + phi[index + cols] + phi[index - 1] + phi[index + 1];
    phi[index] = 0.25f * (neighbors + h2 * rhs[index]);
}

cudaError_t launch_smooth(const float* rhs, float h2, int parity, float* phi, int rows, int cols,
                          cudaStream_t stream) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    smooth<<<grid, block, 0, stream>>>(rhs, h2, parity, phi, rows, cols);
    return cudaGetLastError();
}

// Compute the residual rhs + laplace(phi) of the five-point Poisson equation; it is zero on the border.
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
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    compute_residual<<<grid, block, 0, stream>>>(phi, rhs, h2, r, rows, cols);
    return cudaGetLastError();
}

// Restrict the residual to the grid of twice the spacing by half weighting; it is zero on the border.
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
    const size_t y_x_index = size_t(y) * cols + x;
    const float edges = r[y_x_index - cols] + r[y_x_index + cols] + r[y_x_index - 1] + r[y_x_index + 1];
    coarse[index] = 0.5f * r[y_x_index] + 0.125f * edges;
}

cudaError_t launch_restrict_to_coarse(const float* r, float* coarse, int coarse_rows, int coarse_cols,
                                      int cols, cudaStream_t stream) {
    if (coarse_rows <= 0 || coarse_cols <= 0) return cudaSuccess;
    if (int64_t(coarse_rows) * coarse_cols > INT_MAX) return cudaErrorInvalidValue;
    // With larger sizes, integers in the kernel could overflow.
    if (coarse_rows > (1 << 28) || coarse_cols > (1 << 28)) return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((coarse_cols + block.x - 1) / block.x, (coarse_rows + block.y - 1) / block.y);
    restrict_to_coarse<<<grid, block, 0, stream>>>(r, coarse, coarse_rows, coarse_cols, cols);
    return cudaGetLastError();
}

// Relax the Poisson equation by two red-black sweeps, and restrict the residual to the coarse grid.
cudaError_t launch_restrict_residual(const float* rhs, float h2, float* r, float* coarse, float* phi,
                                     int coarse_rows, int coarse_cols, cudaStream_t stream = nullptr) {
    if (coarse_rows > INT_MAX / 2 || coarse_cols > INT_MAX / 2) return cudaErrorInvalidValue;
    const int rows = 2 * coarse_rows - 1;
    const int cols = 2 * coarse_cols - 1;
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status = launch_smooth(rhs, h2, 0, phi, rows, cols, stream)) return status;
        if (const cudaError_t status = launch_smooth(rhs, h2, 1, phi, rows, cols, stream)) return status;
    }
    if (const cudaError_t status = launch_compute_residual(phi, rhs, h2, r, rows, cols, stream))
        return status;
    return launch_restrict_to_coarse(r, coarse, coarse_rows, coarse_cols, cols, stream);
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
    const int coarse_rows = 19, coarse_cols = 25, rows = 37, cols = 49;
    Array<float> rhs(rows * cols), r(rows * cols), coarse(coarse_rows * coarse_cols), phi(rows * cols);
    const float h2 = 1.0f;
    fill_uniform(rhs, 0x2370168f, -1.0, 1.0);
    fill_uniform(phi, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_restrict_residual(rhs.device, h2, r.device, coarse.device, phi.device, coarse_rows,
                                        coarse_cols));
    print_output("r", r);
    print_output("coarse", coarse);
    print_output("phi", phi);
    return 0;
}
