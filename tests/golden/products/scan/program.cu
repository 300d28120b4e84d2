#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

constexpr int TOKENS = 256;

// Sum of the values of this thread and all before it in the block (inclusive scan).
__device__ inline float block_scan_sum(float value) {
    __shared__ float partial[32];
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const float other = __shfl_up_sync(0xffffffffu, value, offset);
        if (threadIdx.x % 32 >= offset) value += other;
    }
    if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int own = threadIdx.x / 32;
    for (int warp = 0; warp < own; ++warp) {
        value += partial[warp];
    }
    return value;
}

// Return 1 if the mass before a token is below the limit, else 0.
__device__ int keep(float mass_before, float limit) { return mass_before < limit ? 1 : 0; }

// Mark the nucleus of each row with 1, and all other tokens with 0. The weights of a row are sorted in
// descending order; the nucleus is the shortest prefix of the row whose sum reaches the fraction top_p of the
// total (top-p sampling).
// Blocks of 256 threads, one per element.
__global__ void top_p_mask(const float* __restrict__ sorted_weights, float top_p, int* __restrict__ kept) {
    const int row = blockIdx.x;
    const int tid = threadIdx.x;
    __shared__ float cumulative[TOKENS];
    const size_t index = size_t(row) * TOKENS + tid;
    const float weight = sorted_weights[index];
    const float scanned = block_scan_sum(weight);
    cumulative[tid] = scanned;
    __syncthreads();
    const float total = cumulative[TOKENS - 1];
    const float limit = top_p * total;
    kept[index] = keep(cumulative[tid] - weight, limit);
}

cudaError_t launch_top_p_mask(const float* sorted_weights, float top_p, int* kept, int rows,
                              cudaStream_t stream = nullptr) {
    if (rows <= 0) return cudaSuccess;
    constexpr unsigned block = TOKENS;
    const unsigned grid = rows;
    top_p_mask<<<grid, block, 0, stream>>>(sorted_weights, top_p, kept);
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

void fill_integers(Array<float>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int rows = 16;
    Array<float> sorted_weights(rows * 256);
    Array<int> kept(rows * 256);
    const float top_p = 0.875f;
    fill_integers(sorted_weights, 0x2370168f, 1, 9);
    CUDA_CHECK(launch_top_p_mask(sorted_weights.device, top_p, kept.device, rows));
    kept.download();
    double sum = 0.0;
    for (size_t i = 0; i < kept.count; ++i) sum += kept.host[i];
    std::printf("kept: first %g, last %g, sum %.9g\n", double(kept.host[0]),
                double(kept.host[kept.count - 1]), sum);
    return 0;
}
