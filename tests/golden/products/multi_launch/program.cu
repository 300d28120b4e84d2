#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

// count_and_place: Count and place: count_bins, then scan_bins, then find_places, then look_at_bins.

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

// Largest of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline int block_max(int value) {
    __shared__ int partial[32];
    value = warp_max(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int warps = blockDim.x / 32;
    value = partial[0];
    for (int warp = 1; warp < warps; ++warp) {
        value = max(value, partial[warp]);
    }
    return value;
}

// Counts in 32 bins.
// Precondition: elements of source lie in [0, 32).
__global__ void count_bins(const int* __restrict__ source, int* table, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_table[32];
    if (threadIdx.x < 32) shared_table[threadIdx.x] = 0;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int bin_index = source[i];
        atomicAdd(&shared_table[bin_index], 1);
    }

    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&table[threadIdx.x], shared_table[threadIdx.x]);
}

cudaError_t launch_count_bins(const int* source, int* table, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_bins<<<grid, block, 0, stream>>>(source, table, n);
    return cudaGetLastError();
}

// Inclusive prefix sums of the counts, by a thread a bin.
__global__ void scan_bins(const int* __restrict__ source, int* __restrict__ out) {
    const int bin_index = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin_index >= 32) return;

    int total = 0;
    for (int j = 0; j < bin_index + 1; ++j) {
        total += source[j];
    }
    out[bin_index] = total;
}

cudaError_t launch_scan_bins(const int* source, int* out, cudaStream_t stream) {
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (32 + block - 1) / block;
    scan_bins<<<grid, block, 0, stream>>>(source, out);
    return cudaGetLastError();
}

// Where the bin of each element ends.
// Precondition: elements of source lie in [0, 32).
__global__ void find_places(const int* __restrict__ source, const int* __restrict__ table,
                            int* __restrict__ out, int n) {
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= n) return;

    out[item] = table[source[item]];
}

cudaError_t launch_find_places(const int* source, const int* table, int* out, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    find_places<<<grid, block, 0, stream>>>(source, table, out, n);
    return cudaGetLastError();
}

// How full the fullest bin is.
__global__ void look_at_bins(const int* __restrict__ counts_in, int* height_out) {
    const int bin_index = blockIdx.x * blockDim.x + threadIdx.x;
    int thread_largest = INT_MIN;
    if (bin_index < 32) {
        const int number = counts_in[bin_index];
        thread_largest = number;
    }

    // One atomic a block: those of all threads would queue for one address.
    const int block_largest = block_max(thread_largest);
    if (threadIdx.x == 0) atomicMax(&height_out[0], block_largest);
}

cudaError_t launch_look_at_bins(const int* counts_in, int* height_out, cudaStream_t stream) {
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (32 + block - 1) / block;
    look_at_bins<<<grid, block, 0, stream>>>(counts_in, height_out);
    return cudaGetLastError();
}

cudaError_t launch_count_and_place(const int* keys, int* counts, int* offsets, int* places, int* height,
                                   int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = cudaMemsetAsync(counts, 0, 32 * sizeof(*counts), stream)) return status;
    if (const cudaError_t status = launch_count_bins(keys, counts, n, stream)) return status;
    if (const cudaError_t status = launch_scan_bins(counts, offsets, stream)) return status;
    if (const cudaError_t status = launch_find_places(keys, offsets, places, n, stream)) return status;
    if (const cudaError_t status = launch_look_at_bins(counts, height, stream)) return status;
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

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000;
    Array<int> keys(n), counts(32), offsets(32), places(n), height(1);
    for (size_t i = 0; i < keys.count; ++i) keys.host[i] = pcg(0x2370168f + i) % 32;
    keys.upload();
    CUDA_CHECK(
        launch_count_and_place(keys.device, counts.device, offsets.device, places.device, height.device, n));
    print_output("counts", counts);
    print_output("offsets", offsets);
    print_output("places", places);
    print_output("height", height);
    return 0;
}
