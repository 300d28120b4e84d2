#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Subtract the pressure gradient from a staggered (MAC) velocity field to make it free of divergence. `u`,
// `v` and `w` hold the velocities through the lower faces of each cell; no fluid passes the lower borders and
// the faces of solid cells. dt_over_rho_h is the time step over the density and the cell size.
__global__ void subtract_pressure_gradient(const float* __restrict__ pressure, const int* __restrict__ solid,
                                           float dt_over_rho_h, float* __restrict__ u, float* __restrict__ v,
                                           float* __restrict__ w, int nx, int ny, int nz) {
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx || j >= ny || k >= nz) return;

    const int index = (i * ny + j) * nz + k;
    const float p = pressure[index];
    if (i == 0 || solid[index] + solid[index - ny * nz] > 0) {
        u[index] = 0.0f;
    } else {
        u[index] -= dt_over_rho_h * (p - pressure[index - ny * nz]);
    }
    if (j == 0 || solid[index] + solid[index - nz] > 0) {
        v[index] = 0.0f;
    } else {
        v[index] -= dt_over_rho_h * (p - pressure[index - nz]);
    }
    if (k == 0 || solid[index] + solid[index - 1] > 0) {
        w[index] = 0.0f;
    } else {
        w[index] -= dt_over_rho_h * (p - pressure[index - 1]);
    }
}

cudaError_t launch_subtract_pressure_gradient(const float* pressure, const int* solid, float dt_over_rho_h,
                                              float* u, float* v, float* w, int nx, int ny, int nz,
                                              cudaStream_t stream = nullptr) {
    if (nx <= 0 || ny <= 0 || nz <= 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    const dim3 block(32, 4, 2);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nx + block.z - 1) / block.z);
    subtract_pressure_gradient<<<grid, block, 0, stream>>>(pressure, solid, dt_over_rho_h, u, v, w, nx, ny,
                                                           nz);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int nx = 18, ny = 16, nz = 32;
    Array<float> pressure(nx * ny * nz), u(nx * ny * nz), v(nx * ny * nz), w(nx * ny * nz);
    Array<int> solid(nx * ny * nz);
    const float dt_over_rho_h = 0.56056845f;
    fill_uniform(pressure, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < solid.count; ++i) solid.host[i] = pcg(0x9c9df0a2 + i) % 2;
    solid.upload();
    fill_uniform(u, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(v, 0x14cd5bc2, -1.0, 1.0);
    fill_uniform(w, 0xa44fd9fd, -1.0, 1.0);
    CUDA_CHECK(launch_subtract_pressure_gradient(pressure.device, solid.device, dt_over_rho_h, u.device,
                                                 v.device, w.device, nx, ny, nz));
    print_output("u", u);
    print_output("v", v);
    print_output("w", w);
    return 0;
}
