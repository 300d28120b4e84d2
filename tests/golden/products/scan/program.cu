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

// Running sum of each row that begins anew at each head flag.
__global__ void restart_scan(const float* __restrict__ x, const int* __restrict__ heads, int length,
                             float* __restrict__ sums, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    float total = 0.0f;
    const int row_start = row * length;
    for (int j = 0; j < length; ++j) {
        const int index = row_start + j;
        if (heads[index] != 0) {
            total = 0.0f;
        }
        total += x[index];
        sums[index] = total;
    }
}

cudaError_t launch_restart_scan(const float* x, const int* heads, int length, float* sums, int rows,
                                cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    if (int64_t(rows) * length > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (rows + block - 1) / block;
    restart_scan<<<grid, block, 0, stream>>>(x, heads, length, sums, rows);
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
    const int rows = 17, length = 64;
    Array<float> x(rows * length), sums(rows * length);
    Array<int> heads(rows * length);
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < heads.count; ++i) heads.host[i] = pcg(0x9c9df0a2 + i) % 2;
    heads.upload();
    CUDA_CHECK(launch_restart_scan(x.device, heads.device, length, sums.device, rows));
    sums.download();
    double sum = 0.0;
    for (size_t i = 0; i < sums.count; ++i) sum += sums.host[i];
    std::printf("sums: first %g, last %g, sum %.9g\n", sums.host[0], sums.host[sums.count - 1], sum);
    return 0;
}
