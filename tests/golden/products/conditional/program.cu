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

// Largest of the values of the threads of a warp, for each of them.
__device__ inline int warp_max(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = max(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline int block_reduce_max(int value) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_max(partial[lane < blockDim.x / 32 ? lane : 0]) : value;
}

// Maximum of the HyperLogLog register rank over all keys. Uses the Szudzik pairing of two cell coordinates.
__global__ void compute_leading_zero_rank(const int* __restrict__ x_cells, const int* __restrict__ y_cells,
                                          int count, int* max_register_rank) {
    int thread_largest = INT_MIN;
    for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < count; idx += gridDim.x * blockDim.x) {
        const int cell_x = x_cells[idx];
        const int cell_y = y_cells[idx];
        const int low = min(cell_x, cell_y);
        const int high = max(cell_x, cell_y);
        uint32_t mixed = uint32_t(high * high + (cell_x < cell_y ? low : high + low));
        mixed = (mixed ^ (mixed >> 16)) * 0x85EBCA6Bu;
        mixed = (mixed ^ (mixed >> 13)) * 0xC2B2AE35u;
        const uint32_t hashed = mixed ^ (mixed >> 16);
        uint32_t rest = (hashed << 6) | 32u;
        int register_rank = 1;
        while (rest >> 31 == 0u) {
            rest = rest << 1;
            register_rank += 1;
        }
        thread_largest = max(thread_largest, register_rank);
    }

    // One atomic a block: those of all threads would queue for one address.
    const int block_largest = block_reduce_max(thread_largest);
    if (threadIdx.x == 0) atomicMax(max_register_rank, block_largest);
}

cudaError_t launch_compute_leading_zero_rank(const int* x_cells, const int* y_cells, int count,
                                             int num_threads, int* max_register_rank,
                                             cudaStream_t stream = nullptr) {
    if (num_threads == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_threads + block - 1) / block;
    compute_leading_zero_rank<<<grid, block, 0, stream>>>(x_cells, y_cells, count, max_register_rank);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, threads = 125;
    Array<int> x_cells(n), y_cells(n), max_register_rank(1);
    fill_integers(x_cells, 0x2370168f, 4001);
    fill_integers(y_cells, 0x9c9df0a2, 4001);
    CUDA_CHECK(launch_compute_leading_zero_rank(x_cells.device, y_cells.device, n, threads,
                                                max_register_rank.device));
    max_register_rank.download();
    std::printf("max_register_rank: %d\n", max_register_rank.host[0]);
    return 0;
}
