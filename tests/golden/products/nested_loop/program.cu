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

// Number of live neighbours of each cell, with open borders. A histogram counts the count modulo 4.
// Precondition: no element of state is negative.
__global__ void live_neighbors(const int* __restrict__ state, int rows, int cols, int* __restrict__ counts,
                               int* count_histogram) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_count_histogram[4];
    const int thread_in_block = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread_in_block < 4) shared_count_histogram[thread_in_block] = 0;
    __syncthreads();

    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        int neighbors = 0;
        for (int dy = -1; dy < 2; ++dy) {
            for (int dx = -1; dx < 2; ++dx) {
                if (dy == 0 && dx == 0) {
                    continue;
                }
                const int xx = col + dx;
                const int yy = row + dy;
                if (yy >= 0 && yy < rows && xx >= 0 && xx < cols) {
                    neighbors += state[yy * cols + xx];
                }
            }
        }
        counts[row * cols + col] = neighbors;
        atomicAdd(&shared_count_histogram[neighbors % 4], 1);
    }

    __syncthreads();
    if (thread_in_block < 4) {
        atomicAdd(&count_histogram[thread_in_block], shared_count_histogram[thread_in_block]);
    }
}

cudaError_t launch_live_neighbors(const int* state, int rows, int cols, int* counts, int* count_histogram,
                                  cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    live_neighbors<<<grid, block, 0, stream>>>(state, rows, cols, counts, count_histogram);
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

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int rows = 12, cols = 84;
    Array<int> state(rows * cols), counts(rows * cols), count_histogram(4);
    for (size_t i = 0; i < state.count; ++i) state.host[i] = pcg(0x2370168f + i) % 2;
    state.upload();
    CUDA_CHECK(launch_live_neighbors(state.device, rows, cols, counts.device, count_histogram.device));
    print_output("counts", counts);
    print_output("count_histogram", count_histogram);
    return 0;
}
