#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Godunov's square of a one-sided derivative.
__device__ float upwind_sq(float backward, float forward, float sign) {
    const float a = fmaxf(sign * backward, 0.0f);
    const float b = fminf(sign * forward, 0.0f);
    return fmaxf(a * a, b * b);
}

// Reinitialization step toward a signed distance, with Godunov's scheme.
__global__ void redistance_step(const float* __restrict__ psi, const float* __restrict__ initial, float dt,
                                float inv_h, float* __restrict__ new_psi, int nx, int ny, int nz) {
    const int i = blockIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    const int i0 = max(i - 1, 0);
    const int i1 = min(i + 1, nx - 1);
    const int j0 = max(j - 1, 0);
    const int j1 = min(j + 1, ny - 1);
    const int k0 = max(k - 1, 0);
    const int k1 = min(k + 1, nz - 1);
    const size_t row_start = (size_t(i) * ny + j) * nz;
    const size_t index = row_start + k;
    const float c = psi[index];
    const float h = 1.0f / inv_h;
    const float sign = initial[index] / sqrtf(initial[index] * initial[index] + h * h);
    const float direction = initial[index] >= 0.0f ? 1.0f : -1.0f;
    float sum_sq = upwind_sq(c - psi[(size_t(i0) * ny + j) * nz + k], psi[(size_t(i1) * ny + j) * nz + k] - c,
                             direction);
    sum_sq += upwind_sq(c - psi[(size_t(i) * ny + j0) * nz + k], psi[(size_t(i) * ny + j1) * nz + k] - c,
                        direction);
    sum_sq += upwind_sq(c - psi[row_start + k0], psi[row_start + k1] - c, direction);
    const float gradient = inv_h * sqrtf(sum_sq);
    new_psi[index] = c - dt * sign * (gradient - 1.0f);
}

cudaError_t launch_redistance_step(const float* psi, const float* initial, float dt, float inv_h,
                                   float* new_psi, int nx, int ny, int nz, cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    // Rows are no longer than 12: in a wider block, threads would idle.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(16, 16);
    const dim3 grid(nx, (ny + block.y - 1) / block.y, (nz + block.x - 1) / block.x);
    redistance_step<<<grid, block, 0, stream>>>(psi, initial, dt, inv_h, new_psi, nx, ny, nz);
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
    const int nx = 19, ny = 20, nz = 12;
    Array<float> psi(nx * ny * nz), initial(nx * ny * nz), new_psi(nx * ny * nz);
    const float dt = 0.060094748f, inv_h = 0.9709991f;
    fill_uniform(psi, 0x2370168f, -1.0, 1.0);
    fill_uniform(initial, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_redistance_step(psi.device, initial.device, dt, inv_h, new_psi.device, nx, ny, nz));
    new_psi.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_psi.count; ++i) sum += new_psi.host[i];
    std::printf("new_psi: first %g, last %g, sum %.9g\n", new_psi.host[0], new_psi.host[new_psi.count - 1],
                sum);
    return 0;
}
