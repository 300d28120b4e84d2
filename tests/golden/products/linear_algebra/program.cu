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

// Apply the symmetric rank-1 update a += alpha x x^T to the upper triangle of a matrix; the other triangle is
// not touched.
__global__ void syr(const double* __restrict__ x, double alpha, double* __restrict__ a, int rows) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= rows) return;
    if (j < i) return;

    const int index = i * rows + j;
    a[index] += alpha * x[i] * x[j];
}

cudaError_t launch_syr(const double* x, double alpha, double* a, int rows, cudaStream_t stream = nullptr) {
    if (rows <= 0) return cudaSuccess;
    if (int64_t(rows) * rows > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((rows + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    syr<<<grid, block, 0, stream>>>(x, alpha, a, rows);
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
    const int rows = 257;
    Array<double> x(rows), a(rows * rows);
    const double alpha = 0.6613796274839034;
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(a, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_syr(x.device, alpha, a.device, rows));
    a.download();
    double sum = 0.0;
    for (size_t i = 0; i < a.count; ++i) sum += a.host[i];
    std::printf("a: first %g, last %g, sum %.9g\n", a.host[0], a.host[a.count - 1], sum);
    return 0;
}
