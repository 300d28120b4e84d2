#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Product of a Cholesky factor's diagonal less the entry below; the matrix is a^2 + shift, b, c^2 + shift.
__global__ void factor_entry(const float* __restrict__ a_values, const float* __restrict__ bs,
                             const float* __restrict__ cs, float* __restrict__ factors, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float a = a_values[i];
    const float b = bs[i];
    const float c = cs[i];
    const float l00 = sqrtf(a * a + 2.7f);
    const float l10 = b / l00;
    const float rest = c * c + 2.7f - l10 * l10;
    const float l11 = sqrtf(fmaxf(rest, 0.1f));
    factors[i] = l00 * l11 - l10;
}

cudaError_t launch_factor_entry(const float* a_values, const float* bs, const float* cs, float* factors,
                                int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    factor_entry<<<grid, block, 0, stream>>>(a_values, bs, cs, factors, n);
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
    const int n = 1000;
    Array<float> a_values(n), bs(n), cs(n), factors(n);
    fill_uniform(a_values, 0x2370168f, -0.5, 0.5);
    fill_uniform(bs, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(cs, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_factor_entry(a_values.device, bs.device, cs.device, factors.device, n));
    factors.download();
    double sum = 0.0;
    for (size_t i = 0; i < factors.count; ++i) sum += factors.host[i];
    std::printf("factors: first %g, last %g, sum %.9g\n", factors.host[0], factors.host[factors.count - 1],
                sum);
    return 0;
}
