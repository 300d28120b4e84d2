#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }

// Flux of mass and momentum of the shallow water equations.
__device__ float2 flux(float h, float hu, float gravity) {
    return make_float2(hu, hu * hu / h + 0.5f * gravity * h * h);
}

// HLL flux of the shallow water equations between neighbouring cells.
__global__ void hll_fluxes(const float* __restrict__ depth, const float* __restrict__ discharge,
                           float gravity, float2* __restrict__ fluxes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float u_left = discharge[i] / depth[i];
    const float u_right = discharge[i + 1] / depth[i + 1];
    const float c_left = sqrtf(gravity * depth[i]);
    const float c_right = sqrtf(gravity * depth[i + 1]);
    const float s_left = fminf(u_left - c_left, u_right - c_right);
    const float s_right = fmaxf(u_left + c_left, u_right + c_right);
    const float2 f_left = flux(depth[i], discharge[i], gravity);
    const float2 f_right = flux(depth[i + 1], discharge[i + 1], gravity);
    float2 f;
    if (s_left >= 0.0f) {
        f = f_left;
    } else if (s_right <= 0.0f) {
        f = f_right;
    } else {
        const float2 jump = make_float2(depth[i + 1] - depth[i], discharge[i + 1] - discharge[i]);
        f = (s_right * f_left - s_left * f_right + s_left * s_right * jump) / (s_right - s_left);
    }
    fluxes[i] = f;
}

cudaError_t launch_hll_fluxes(const float* depth, const float* discharge, float gravity, float2* fluxes,
                              int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    hll_fluxes<<<grid, block, 0, stream>>>(depth, discharge, gravity, fluxes, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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
    const int n = 1000;
    Array<float> depth(n + 1), discharge(n + 1);
    Array<float2, float> fluxes(n);
    const float gravity = 9.81f;
    fill_uniform(depth, 0x2370168f, 0.5, 2.0);
    fill_uniform(discharge, 0x9c9df0a2, -9.0, 12.0);
    CUDA_CHECK(launch_hll_fluxes(depth.device, discharge.device, gravity, fluxes.device, n));
    fluxes.download();
    double sum = 0.0;
    for (size_t i = 0; i < fluxes.count; ++i) sum += fluxes.host[i];
    std::printf("fluxes: first %g, last %g, sum %.9g\n", fluxes.host[0], fluxes.host[fluxes.count - 1], sum);
    return 0;
}
