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

constexpr float DT = 0.013f;

// Well slope from the logarithmic potential.
__device__ float logarithmic_well_slope(float phase, float mixing_temperature) {
    const float share = fminf(fmaxf(phase, -0.99f), 0.99f);
    return 0.5f * mixing_temperature * logf((1.0f + share) / (1.0f - share)) - share;
}

// Advance the phase of each cell by one step of Allen and Cahn's equation. Take the phase Laplacian by
// central differences and the well slope from the logarithmic potential. Neighbors outside the grid are
// clamped to its border.
__global__ void allen_cahn_phase_kernel(const float* __restrict__ phases, float dx, int nx, int ny, int nz,
                                        float mixing_temperature, float interface_width,
                                        float* __restrict__ new_phases) {
    const int i = blockIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    const int row_start = (i * ny + j) * nz;
    const int index = row_start + k;
    const float phase = phases[index];
    const float west = phases[(max(i - 1, 0) * ny + j) * nz + k];
    const float east = phases[(min(i + 1, nx - 1) * ny + j) * nz + k];
    const float south = phases[(i * ny + max(j - 1, 0)) * nz + k];
    const float north = phases[(i * ny + min(j + 1, ny - 1)) * nz + k];
    const float bottom = phases[row_start + max(k - 1, 0)];
    const float top = phases[row_start + min(k + 1, nz - 1)];
    const float phase_laplacian = (west + east + south + north + bottom + top - 6.0f * phase) / (dx * dx);
    const float well_slope = logarithmic_well_slope(phase, mixing_temperature);
    const float new_phase = phase + DT * (phase_laplacian - well_slope / (interface_width * interface_width));
    new_phases[index] = new_phase;
}

cudaError_t launch_allen_cahn_phase_kernel(const float* phases, float dx, int nx, int ny, int nz,
                                           float mixing_temperature, float interface_width, float* new_phases,
                                           cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // Rows are no longer than 16: in a wider block, threads would idle.
    const dim3 block(16, 16);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, nx);
    allen_cahn_phase_kernel<<<grid, block, 0, stream>>>(phases, dx, nx, ny, nz, mixing_temperature,
                                                        interface_width, new_phases);
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
    const int nx = 4, ny = 16, nz = 16;
    Array<float> phases(nx * ny * nz), new_phases(nx * ny * nz);
    const float dx = 0.20252879f, mixing_temperature = 0.7473822f, interface_width = 0.5034923f;
    fill_uniform(phases, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_allen_cahn_phase_kernel(phases.device, dx, nx, ny, nz, mixing_temperature,
                                              interface_width, new_phases.device));
    new_phases.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_phases.count; ++i) sum += new_phases.host[i];
    std::printf("new_phases: first %g, last %g, sum %.9g\n", new_phases.host[0],
                new_phases.host[new_phases.count - 1], sum);
    return 0;
}
