#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int RADIX = 4;
constexpr int CHUNK = 32;
constexpr int SCAN_TILE = 256;

// Sum of the values of this thread and all before it in the warp (inclusive scan).
__device__ inline int warp_scan_sum(int value) {
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (threadIdx.x % 32 >= offset) value += other;
    }
    return value;
}

// Inclusive scan of the values of a block that starts at `total`, to which it adds all of them.
__device__ inline int block_running_sum(int value, int& total) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_scan_sum(value);
    if (lane == 31) partial[warp] = value;
    __syncthreads();
    value += total;
    for (unsigned other = 0; other < blockDim.x / 32; ++other) {
        if (other < warp) value += partial[other];
        total += partial[other];
    }
    __syncthreads();
    return value;
}

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// Return the digit of a key that starts at bit `shift`.
__device__ int digit_of(uint32_t key, int shift) { return int((key >> shift) & uint32_t(RADIX - 1)); }

// Count the digits in each chunk of CHUNK keys; counts[d, c] belongs to digit d and chunk c.
__global__ void count_digits(const uint32_t* __restrict__ keys, int shift, int* counts, int n,
                             int num_chunks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    atomicAdd(&counts[digit_of(keys[i], shift) * num_chunks + i / CHUNK], 1);
}

cudaError_t launch_count_digits(const uint32_t* keys, int shift, int* counts, int n, int num_chunks,
                                cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    // counts has 4 * num_chunks elements, which an int must count.
    if (num_chunks < 1 || shift < 0 || shift > 31 || num_chunks > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_digits<<<grid, block, 0, stream>>>(keys, shift, counts, n, num_chunks);
    return cudaGetLastError();
}

// Compute the exclusive prefix sums of each digit's counts over the chunks, and the total count of each
// digit. A block scans the counts of a digit in tiles of SCAN_TILE.
// Blocks of 256 threads, one per element.
__global__ void scan_chunks(const int* __restrict__ counts, int* __restrict__ offsets,
                            int* __restrict__ digit_totals, int num_chunks) {
    const int digit = blockIdx.x;
    const int tid = threadIdx.x;
    int total = 0;
    const int row_start = digit * num_chunks;
    for (int first = 0; first < num_chunks; first += SCAN_TILE) {
        const int tile = first + tid < num_chunks ? counts[row_start + first + tid] : 0;
        const int scanned = block_running_sum(tile, total);
        const int scan_exclusive = scanned - tile;
        if (first + tid < num_chunks) {
            offsets[row_start + first + tid] = scan_exclusive;
        }
    }
    if (tid == 0) digit_totals[digit] = total;
}

cudaError_t launch_scan_chunks(const int* counts, int* offsets, int* digit_totals, int num_chunks,
                               cudaStream_t stream) {
    // counts and offsets have 4 * num_chunks elements, which an int must count.
    if (num_chunks > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = SCAN_TILE;
    const unsigned grid = 4;
    scan_chunks<<<grid, block, 0, stream>>>(counts, offsets, digit_totals, num_chunks);
    return cudaGetLastError();
}

// Compute the place of each digit's first key: the number of keys with smaller digits.
// Blocks of 32 threads, one for each of 4 elements.
__global__ void start_digits(const int* __restrict__ digit_totals, int* __restrict__ digit_starts) {
    const int tid = threadIdx.x;
    int part = 0;
    if (tid < RADIX) {
        const int tile = digit_totals[tid];
        part = tile;
    }
    const int scanned = warp_scan_sum(part);
    if (tid < RADIX) digit_starts[tid] = scanned - part;
}

cudaError_t launch_start_digits(const int* digit_totals, int* digit_starts, cudaStream_t stream) {
    constexpr unsigned block = 32;
    const unsigned grid = 1;
    start_digits<<<grid, block, 0, stream>>>(digit_totals, digit_starts);
    return cudaGetLastError();
}

// Move each key and its value to its place in a stable sort: behind all keys with smaller digits, and those
// with the same digit in earlier chunks or earlier in its own chunk.
__global__ void scatter_keys(const uint32_t* __restrict__ keys, const int* __restrict__ values, int shift,
                             const int* __restrict__ digit_starts, const int* __restrict__ offsets,
                             uint32_t* __restrict__ sorted_keys, int* __restrict__ sorted_values, int n,
                             int num_chunks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const uint32_t key = keys[i];
    const int digit = digit_of(key, shift);
    const int chunk = i / CHUNK;
    int place = digit_starts[digit] + offsets[digit * num_chunks + chunk];
    for (int earlier = chunk * CHUNK; earlier < i; ++earlier) {
        if (digit_of(keys[earlier], shift) == digit) {
            place += 1;
        }
    }
    sorted_keys[wrap_index(place, n)] = key;
    sorted_values[wrap_index(place, n)] = values[i];
}

cudaError_t launch_scatter_keys(const uint32_t* keys, const int* values, int shift, const int* digit_starts,
                                const int* offsets, uint32_t* sorted_keys, int* sorted_values, int n,
                                int num_chunks, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    // offsets has 4 * num_chunks elements, which an int must count.
    if (shift < 0 || shift > 31 || num_chunks < 1 || num_chunks > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    scatter_keys<<<grid, block, 0, stream>>>(keys, values, shift, digit_starts, offsets, sorted_keys,
                                             sorted_values, n, num_chunks);
    return cudaGetLastError();
}

// Sort key-value pairs stably by one 2-bit digit, which is one pass of a radix sort: count, scan and scatter.
cudaError_t launch_counting_sort_digit(const uint32_t* keys, const int* values, int shift, int* counts,
                                       int* offsets, int* digit_totals, int* digit_starts,
                                       uint32_t* sorted_keys, int* sorted_values, int n, int num_chunks,
                                       cudaStream_t stream = nullptr) {
    if (num_chunks < 1 || shift < 0 || shift > 31 || num_chunks > INT_MAX / 4) return cudaErrorInvalidValue;
    if (const cudaError_t status =
            cudaMemsetAsync(counts, 0, size_t(num_chunks) * 4 * sizeof(*counts), stream))
        return status;
    if (const cudaError_t status = launch_count_digits(keys, shift, counts, n, num_chunks, stream))
        return status;
    if (const cudaError_t status = launch_scan_chunks(counts, offsets, digit_totals, num_chunks, stream))
        return status;
    if (const cudaError_t status = launch_start_digits(digit_totals, digit_starts, stream)) return status;
    return launch_scatter_keys(keys, values, shift, digit_starts, offsets, sorted_keys, sorted_values, n,
                               num_chunks, stream);
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

template <typename T>
void fill_integers(Array<T>& x, unsigned seed, long long end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, num_chunks = 32;
    Array<uint32_t> keys(n), sorted_keys(n);
    Array<int> values(n), counts(4 * num_chunks), offsets(4 * num_chunks), digit_totals(4), digit_starts(4),
        sorted_values(n);
    const int shift = 16;
    fill_integers(keys, 0x2370168f, 4294967295);
    fill_integers(values, 0x9c9df0a2, 1000000);
    CUDA_CHECK(launch_counting_sort_digit(keys.device, values.device, shift, counts.device, offsets.device,
                                          digit_totals.device, digit_starts.device, sorted_keys.device,
                                          sorted_values.device, n, num_chunks));
    print_output("counts", counts);
    print_output("offsets", offsets);
    print_output("digit_totals", digit_totals);
    print_output("digit_starts", digit_starts);
    print_output("sorted_keys", sorted_keys);
    print_output("sorted_values", sorted_values);
    return 0;
}
