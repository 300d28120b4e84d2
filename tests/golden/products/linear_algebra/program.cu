#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// power_iteration: Three steps of power iteration for the dominant eigenvector of a dense matrix.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f) : value;
}

// Product w = A v.
__global__ void apply_matrix(const float* __restrict__ a, const float* __restrict__ v, float* __restrict__ w,
                             int size) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= size) return;

    float total = 0.0f;
    const int row_start = row * size;
    for (int col = 0; col < size; ++col) {
        total += a[row_start + col] * v[col];
    }
    w[row] = total;
}

cudaError_t launch_apply_matrix(const float* a, const float* v, float* w, int size, cudaStream_t stream) {
    if (size == 0) return cudaSuccess;
    if (int64_t(size) * size > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    apply_matrix<<<grid, block, 0, stream>>>(a, v, w, size);
    return cudaGetLastError();
}

// Add up the squares of w.
__global__ void squared_norm(const float* __restrict__ w, float* norm_sq, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float thread_total = i < size ? w[i] * w[i] : 0.0f;

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(norm_sq, block_total);
}

cudaError_t launch_squared_norm(const float* w, float* norm_sq, int size, cudaStream_t stream) {
    if (size == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    squared_norm<<<grid, block, 0, stream>>>(w, norm_sq, size);
    return cudaGetLastError();
}

// Normalise w to unit length.
__global__ void rescale(const float* __restrict__ w, const float* __restrict__ norm_sq, float* __restrict__ v,
                        int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    v[i] = w[i] / sqrtf(norm_sq[0]);
}

cudaError_t launch_rescale(const float* w, const float* norm_sq, float* v, int size, cudaStream_t stream) {
    if (size == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    rescale<<<grid, block, 0, stream>>>(w, norm_sq, v, size);
    return cudaGetLastError();
}

cudaError_t launch_power_iteration(const float* a, float* norm_sq, float* w, float* v, int n,
                                   cudaStream_t stream = nullptr) {
    const int size = std::min(n, 251) + 3;
    for (int repetition = 0; repetition < 3; ++repetition) {
        if (const cudaError_t status = launch_apply_matrix(a, v, w, size, stream)) return status;
        if (const cudaError_t status = cudaMemsetAsync(norm_sq, 0, sizeof(*norm_sq), stream)) return status;
        if (const cudaError_t status = launch_squared_norm(w, norm_sq, size, stream)) return status;
        if (const cudaError_t status = launch_rescale(w, norm_sq, v, size, stream)) return status;
    }
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
    const int n = 1000, size = 254;
    Array<float> a(size * size), norm_sq(1), w(size), v(size);
    fill_uniform(a, 0x2370168f, 0.0, 1.0);
    fill_uniform(v, 0x86a00a5c, 0.1, 1.0);
    CUDA_CHECK(launch_power_iteration(a.device, norm_sq.device, w.device, v.device, n));
    norm_sq.download();
    std::printf("norm_sq: %.9g\n", norm_sq.host[0]);
    print_output("w", w);
    print_output("v", v);
    return 0;
}
