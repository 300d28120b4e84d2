#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Advance the damped wave equation in three dimensions by a leapfrog step, with zeros at the border.
__global__ void wave_step(const float* __restrict__ p, const float* __restrict__ p_old, float courant_sq,
                          float damping, float* __restrict__ p_new, int nx, int ny, int nz) {
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx || j >= ny || k >= nz) return;

    const size_t index = (size_t(i) * ny + j) * nz + k;
    if (i == 0 || j == 0 || k == 0) {
        p_new[index] = 0.0f;
        return;
    }
    if (i == nx - 1 || j == ny - 1 || k == nz - 1) {
        p_new[index] = 0.0f;
        return;
    }
    float laplacian = p[index - ny * size_t(nz)] + p[index + ny * size_t(nz)] - 6.0f * p[index];
    laplacian += p[index - nz] + p[index + nz];
    laplacian += p[index - 1] + p[index + 1];
    const float velocity = (1.0f - damping) * (p[index] - p_old[index]);
    p_new[index] = p[index] + velocity + courant_sq * laplacian;
}

cudaError_t launch_wave_step(const float* p, const float* p_old, float courant_sq, float damping,
                             float* p_new, int nx, int ny, int nz, cudaStream_t stream = nullptr) {
    if (nx <= 0 || ny <= 0 || nz <= 0) return cudaSuccess;
    // Rows are 16 long in the described launch: in a wider block, threads would idle.
    const dim3 block(16, 2, 8);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nx + block.z - 1) / block.z);
    wave_step<<<grid, block, 0, stream>>>(p, p_old, courant_sq, damping, p_new, nx, ny, nz);
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
    const int nx = 18, ny = 14, nz = 16;
    Array<float> p(nx * ny * nz), p_old(nx * ny * nz), p_new(nx * ny * nz);
    const float courant_sq = 0.1080758f, damping = 0.048474804f;
    fill_uniform(p, 0x2370168f, -1.0, 1.0);
    fill_uniform(p_old, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_wave_step(p.device, p_old.device, courant_sq, damping, p_new.device, nx, ny, nz));
    p_new.download();
    double sum = 0.0;
    for (size_t i = 0; i < p_new.count; ++i) sum += p_new.host[i];
    std::printf("p_new: first %g, last %g, sum %.9g\n", p_new.host[0], p_new.host[p_new.count - 1], sum);
    return 0;
}
