#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Weighted sum of each row in double precision. The total is squared.
__global__ void precise_sum(const float* __restrict__ rows, const float* __restrict__ weights, int num_items,
                            float* __restrict__ totals, int length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_items) return;

    double total = 0.0;
    for (int j = 0; j < 24; ++j) {
        total += double(rows[size_t(i) * length + j]) * double(weights[j]);
    }
    const float final_total = float(total);
    totals[i] = final_total * final_total;
}

cudaError_t launch_precise_sum(const float* rows, const float* weights, int num_items, float* totals,
                               int length, cudaStream_t stream = nullptr) {
    if (num_items == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_items + block - 1) / block;
    precise_sum<<<grid, block, 0, stream>>>(rows, weights, num_items, totals, length);
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
    const int n = 1000, length = 24;
    Array<float> rows(n * length), weights(length), totals(n);
    fill_uniform(rows, 0x2370168f, -1.0, 1.0);
    fill_uniform(weights, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_precise_sum(rows.device, weights.device, n, totals.device, length));
    totals.download();
    double sum = 0.0;
    for (size_t i = 0; i < totals.count; ++i) sum += totals.host[i];
    std::printf("totals: first %g, last %g, sum %.9g\n", totals.host[0], totals.host[totals.count - 1], sum);
    return 0;
}
