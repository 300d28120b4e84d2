#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// chebyshev_smoother: Run 4 steps of Chebyshev iteration, which needs no inner products, on a tridiagonal
// system with eigenvalues between 0.5 and 6.0.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Start from zero, where the residual is b, with a step of length 1 / theta.
__global__ void start(const float* __restrict__ b, float theta, float* __restrict__ x, float* __restrict__ r,
                      float* __restrict__ d, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    x[i] = 0.0f;
    r[i] = b[i];
    d[i] = b[i] / theta;
}

cudaError_t launch_start(const float* b, float theta, float* x, float* r, float* d, int size,
                         cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    start<<<grid, block, 0, stream>>>(b, theta, x, r, d, size);
    return cudaGetLastError();
}

// Add the direction to the solution, and take its product with the tridiagonal matrix, which has -1 on both
// sides of its diagonal, from the residual.
__global__ void step(const float* __restrict__ diagonal, const float* __restrict__ d, float* __restrict__ x,
                     float* __restrict__ r, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    x[i] += d[i];
    float product = diagonal[i] * d[i];
    if (i > 0) {
        product -= d[i - 1];
    }
    if (i < size - 1) {
        product -= d[i + 1];
    }
    r[i] -= product;
}

cudaError_t launch_step(const float* diagonal, const float* d, float* x, float* r, int size,
                        cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    step<<<grid, block, 0, stream>>>(diagonal, d, x, r, size);
    return cudaGetLastError();
}

// Combine the direction with the residual by the coefficients of the Chebyshev recurrence.
__global__ void update_direction(const float* __restrict__ r, float keep, float gain, float* __restrict__ d,
                                 int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    d[i] = keep * d[i] + gain * r[i];
}

cudaError_t launch_update_direction(const float* r, float keep, float gain, float* d, int size,
                                    cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    update_direction<<<grid, block, 0, stream>>>(r, keep, gain, d, size);
    return cudaGetLastError();
}

cudaError_t launch_chebyshev_smoother(const float* b, const float* diagonal, float theta, float keep_1,
                                      float gain_1, float keep_2, float gain_2, float keep_3, float gain_3,
                                      float* x, float* r, float* d, int size, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_start(b, theta, x, r, d, size, stream)) return status;
    if (const cudaError_t status = launch_step(diagonal, d, x, r, size, stream)) return status;
    if (const cudaError_t status = launch_update_direction(r, keep_1, gain_1, d, size, stream)) return status;
    if (const cudaError_t status = launch_step(diagonal, d, x, r, size, stream)) return status;
    if (const cudaError_t status = launch_update_direction(r, keep_2, gain_2, d, size, stream)) return status;
    if (const cudaError_t status = launch_step(diagonal, d, x, r, size, stream)) return status;
    if (const cudaError_t status = launch_update_direction(r, keep_3, gain_3, d, size, stream)) return status;
    if (const cudaError_t status = launch_step(diagonal, d, x, r, size, stream)) return status;
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
    const int size = 1004;
    Array<float> b(size), diagonal(size), x(size), r(size), d(size);
    const float theta = 3.25f, keep_1 = 0.557604f, gain_1 = 0.479263f, keep_2 = 0.386581f, gain_2 = 0.42664f,
                keep_3 = 0.330123f, gain_3 = 0.409269f;
    fill_uniform(b, 0x2370168f, -1.0, 1.0);
    fill_uniform(diagonal, 0x9c9df0a2, 2.5, 4.0);
    CUDA_CHECK(launch_chebyshev_smoother(b.device, diagonal.device, theta, keep_1, gain_1, keep_2, gain_2,
                                         keep_3, gain_3, x.device, r.device, d.device, size));
    print_output("x", x);
    print_output("r", r);
    print_output("d", d);
    return 0;
}
