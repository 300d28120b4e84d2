#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the next search direction of BiCGSTAB, p = r + beta (p - omega v).
__global__ void bicgstab_direction(const double* __restrict__ r, const double* __restrict__ v, double beta,
                                   double omega, double* __restrict__ p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

cudaError_t launch_bicgstab_direction(const double* r, const double* v, double beta, double omega, double* p,
                                      int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    bicgstab_direction<<<grid, block, 0, stream>>>(r, v, beta, omega, p, n);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000;
    Array<double> r(n), v(n), p(n);
    const double beta = 0.3242274274591932, omega = 0.5564987153875439;
    fill_uniform(r, 0x2370168f, -1.0, 1.0);
    fill_uniform(v, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(p, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_bicgstab_direction(r.device, v.device, beta, omega, p.device, n));
    p.download();
    double sum = 0.0;
    for (size_t i = 0; i < p.count; ++i) sum += p.host[i];
    std::printf("p: first %g, last %g, sum %.9g\n", p.host[0], p.host[p.count - 1], sum);
    return 0;
}
