#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the five-point Laplacian on a grid of unit spacing with no flux through its border.
__device__ float laplacian(const float* phi, int i, int j, int phi_cols, int phi_rows) {
    float total =
        phi[size_t(max(i - 1, 0)) * phi_cols + j] + phi[size_t(min(i + 1, phi_rows - 1)) * phi_cols + j];
    const size_t row_start = size_t(i) * phi_cols;
    total += phi[row_start + max(j - 1, 0)] + phi[row_start + min(j + 1, phi_cols - 1)];
    return total - 4.0f * phi[row_start + j];
}

// Take an explicit step of the Allen-Cahn equation with the double well (1 - phi^2)^2 / 4, tilted by the
// driving force of each cell. `mobility_dt` is the mobility times the time step.
__global__ void allen_cahn_step(const float* __restrict__ phi, const float* __restrict__ driving,
                                float epsilon_sq, float mobility_dt, float* __restrict__ new_phi, int rows,
                                int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const size_t index = size_t(i) * cols + j;
    const float value = phi[index];
    float reaction = value - value * value * value;
    reaction += driving[index] * (1.0f - value * value);
    new_phi[index] = value + mobility_dt * (epsilon_sq * laplacian(phi, i, j, cols, rows) + reaction);
}

cudaError_t launch_allen_cahn_step(const float* phi, const float* driving, float epsilon_sq,
                                   float mobility_dt, float* new_phi, int rows, int cols,
                                   cudaStream_t stream = nullptr) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    allen_cahn_step<<<grid, block, 0, stream>>>(phi, driving, epsilon_sq, mobility_dt, new_phi, rows, cols);
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
    const int rows = 18, cols = 96;
    Array<float> phi(rows * cols), driving(rows * cols), new_phi(rows * cols);
    const float epsilon_sq = 0.540379f, mobility_dt = 0.054199826f;
    fill_uniform(phi, 0x2370168f, -1.0, 1.0);
    fill_uniform(driving, 0x9c9df0a2, -0.3, 0.3);
    CUDA_CHECK(launch_allen_cahn_step(phi.device, driving.device, epsilon_sq, mobility_dt, new_phi.device,
                                      rows, cols));
    new_phi.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_phi.count; ++i) sum += new_phi.host[i];
    std::printf("new_phi: first %g, last %g, sum %.9g\n", new_phi.host[0], new_phi.host[new_phi.count - 1],
                sum);
    return 0;
}
