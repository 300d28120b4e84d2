#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Smagorinsky eddy viscosity from the resolved strain rate of cell-centered velocities.
__global__ void smagorinsky_viscosity(const float* __restrict__ u, const float* __restrict__ v,
                                      const float* __restrict__ w, float inv_h, float length_scale,
                                      float* __restrict__ viscosity, int nx, int ny, int nz) {
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx || j >= ny || k >= nz) return;

    const int i0 = max(i - 1, 0);
    const int i1 = min(i + 1, nx - 1);
    const int j0 = max(j - 1, 0);
    const int j1 = min(j + 1, ny - 1);
    const int k0 = max(k - 1, 0);
    const int k1 = min(k + 1, nz - 1);
    const float sx = inv_h / float(i1 - i0);
    const float sy = inv_h / float(j1 - j0);
    const float sz = inv_h / float(k1 - k0);
    const size_t i1_index = (size_t(i1) * ny + j) * nz + k;
    const size_t i0_index = (size_t(i0) * ny + j) * nz + k;
    const float sxx = sx * (u[i1_index] - u[i0_index]);
    const size_t j1_index = (size_t(i) * ny + j1) * nz + k;
    const size_t j0_index = (size_t(i) * ny + j0) * nz + k;
    const float syy = sy * (v[j1_index] - v[j0_index]);
    const size_t row_start = (size_t(i) * ny + j) * nz;
    const size_t k1_index = row_start + k1;
    const size_t k0_index = row_start + k0;
    const float szz = sz * (w[k1_index] - w[k0_index]);
    const float sxy = 0.5f * (sy * (u[j1_index] - u[j0_index]) + sx * (v[i1_index] - v[i0_index]));
    const float sxz = 0.5f * (sz * (u[k1_index] - u[k0_index]) + sx * (w[i1_index] - w[i0_index]));
    const float syz = 0.5f * (sz * (v[k1_index] - v[k0_index]) + sy * (w[j1_index] - w[j0_index]));
    float norm_sq = sxx * sxx + syy * syy + szz * szz;
    norm_sq += 2.0f * (sxy * sxy + sxz * sxz + syz * syz);
    viscosity[row_start + k] = length_scale * length_scale * sqrtf(2.0f * norm_sq);
}

cudaError_t launch_smagorinsky_viscosity(const float* u, const float* v, const float* w, float inv_h,
                                         float length_scale, float* viscosity, int nx, int ny, int nz,
                                         cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    // Blocks fit rows of 12: in wider ones, threads would idle.
    const dim3 block(12, 4, 4);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nx + block.z - 1) / block.z);
    smagorinsky_viscosity<<<grid, block, 0, stream>>>(u, v, w, inv_h, length_scale, viscosity, nx, ny, nz);
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
    const int nx = 18, ny = 20, nz = 12;
    Array<float> u(nx * ny * nz), v(nx * ny * nz), w(nx * ny * nz), viscosity(nx * ny * nz);
    const float inv_h = 1.1412467f, length_scale = 0.13125676f;
    fill_uniform(u, 0x2370168f, -1.0, 1.0);
    fill_uniform(v, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(w, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_smagorinsky_viscosity(u.device, v.device, w.device, inv_h, length_scale,
                                            viscosity.device, nx, ny, nz));
    viscosity.download();
    double sum = 0.0;
    for (size_t i = 0; i < viscosity.count; ++i) sum += viscosity.host[i];
    std::printf("viscosity: first %g, last %g, sum %.9g\n", viscosity.host[0],
                viscosity.host[viscosity.count - 1], sum);
    return 0;
}
