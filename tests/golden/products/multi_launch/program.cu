#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// count_and_place: Count and place: count_bins, then scan_bins, then find_places.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Counts in 8 bins, weighted by size. The first bin stays empty.
__global__ void count_bins(const int* __restrict__ source, const int* __restrict__ amounts, int* table,
                           int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_table[8];
    if (threadIdx.x < 8) shared_table[threadIdx.x] = 0;
    __syncthreads();

    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < n) {
        const int bin_index = source[cell];
        if (bin_index > 0) {
            atomicAdd(&shared_table[bin_index], amounts[cell]);
        }
    }

    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&table[threadIdx.x], shared_table[threadIdx.x]);
}

cudaError_t launch_count_bins(const int* source, const int* amounts, int* table, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_bins<<<grid, block, 0, stream>>>(source, amounts, table, n);
    return cudaGetLastError();
}

// Exclusive prefix sums of the counts, by a thread a bin.
__global__ void scan_bins(const int* __restrict__ source, int* __restrict__ out) {
    const int bin_index = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin_index >= 8) return;

    int total = 0;
    for (int j = 0; j < 8; ++j) {
        if (j < bin_index) {
            total += source[j];
        }
    }
    out[bin_index] = total;
}

cudaError_t launch_scan_bins(const int* source, int* out, cudaStream_t stream) {
    // There are no more than 8 threads.
    constexpr unsigned block = 32;
    const unsigned grid = (8 + block - 1) / block;
    scan_bins<<<grid, block, 0, stream>>>(source, out);
    return cudaGetLastError();
}

// Where the bin of each element begins, plus how full it is.
// Precondition: elements of source lie in [0, 8).
__global__ void find_places(const int* __restrict__ source, const int* __restrict__ table,
                            const int* __restrict__ filled, int* __restrict__ out, int n) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= n) return;

    const int bin_index = source[cell];
    out[cell] = table[bin_index] + filled[bin_index];
}

cudaError_t launch_find_places(const int* source, const int* table, const int* filled, int* out, int n,
                               cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    find_places<<<grid, block, 0, stream>>>(source, table, filled, out, n);
    return cudaGetLastError();
}

cudaError_t launch_count_and_place(const int* labels, const int* sizes, int* counts, int* starts,
                                   int* first_slots, int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = cudaMemsetAsync(counts, 0, 8 * sizeof(*counts), stream)) return status;
    if (const cudaError_t status = launch_count_bins(labels, sizes, counts, n, stream)) return status;
    if (const cudaError_t status = launch_scan_bins(counts, starts, stream)) return status;
    if (const cudaError_t status = launch_find_places(labels, starts, counts, first_slots, n, stream))
        return status;
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000;
    Array<int> labels(n), sizes(n), counts(8), starts(8), first_slots(n);
    fill_integers(labels, 0x2370168f, 0, 8);
    fill_integers(sizes, 0x9c9df0a2, 1, 6);
    CUDA_CHECK(launch_count_and_place(labels.device, sizes.device, counts.device, starts.device,
                                      first_slots.device, n));
    print_output("counts", counts);
    print_output("starts", starts);
    print_output("first_slots", first_slots);
    return 0;
}
