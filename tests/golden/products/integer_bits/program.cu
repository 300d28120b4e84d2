#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// bloom_insert_and_query: Insert keys into a Bloom filter with 5 hashes, and query others.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_WORDS = 256;
constexpr int NUM_HASHES = 5;

// Finalizer of MurmurHash3.
__device__ uint32_t mix(uint32_t key, uint32_t seed) {
    uint32_t h = key ^ seed;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

// Bit of the filter for the k-th hash of a key: one hash plus k times a second, odd one.
__device__ int bit_place(uint32_t key, int k) {
    const uint32_t first = mix(key, 0x2545F491u);
    const uint32_t second = mix(key, 0x68E31DA4u) | 1u;
    return int((first + uint32_t(k) * second) % uint32_t(32 * NUM_WORDS));
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline int block_reduce_sum(int value) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0) : value;
}

// Set the bits of a key.
__global__ void insert(const uint32_t* __restrict__ keys, uint32_t* bloom, int num_keys) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_keys) return;

    for (int k = 0; k < NUM_HASHES; ++k) {
        const int place = bit_place(keys[i], k);
        atomicOr(&bloom[place >> 5], 1u << uint32_t(place & 31));
    }
}

cudaError_t launch_insert(const uint32_t* keys, uint32_t* bloom, int num_keys, cudaStream_t stream) {
    if (num_keys == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_keys + block - 1) / block;
    insert<<<grid, block, 0, stream>>>(keys, bloom, num_keys);
    return cudaGetLastError();
}

// Whether a key may have been inserted (1), or certainly was not (0).
__global__ void query(const uint32_t* __restrict__ queries, const uint32_t* __restrict__ bloom,
                      int* __restrict__ maybe_present, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    int present = 1;
    for (int k = 0; k < NUM_HASHES; ++k) {
        const int place = bit_place(queries[i], k);
        const uint32_t bit = (bloom[place >> 5] >> uint32_t(place & 31)) & 1u;
        if (bit == 0u) {
            present = 0;
            break;
        }
    }
    maybe_present[i] = present;
}

cudaError_t launch_query(const uint32_t* queries, const uint32_t* bloom, int* maybe_present, int n,
                         cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    query<<<grid, block, 0, stream>>>(queries, bloom, maybe_present, n);
    return cudaGetLastError();
}

// Number of bits that are set, which tells how full the filter is.
__global__ void count_set_bits(const uint32_t* __restrict__ bloom, int* num_set) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int thread_total = w < 256 ? __popc(bloom[w]) : 0;

    // One atomic a block: those of all threads would queue for one address.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(num_set, block_total);
}

cudaError_t launch_count_set_bits(const uint32_t* bloom, int* num_set, cudaStream_t stream) {
    constexpr unsigned block = 256;
    const unsigned grid = (256 + block - 1) / block;
    count_set_bits<<<grid, block, 0, stream>>>(bloom, num_set);
    return cudaGetLastError();
}

cudaError_t launch_bloom_insert_and_query(const uint32_t* keys, const uint32_t* queries, uint32_t* bloom,
                                          int* maybe_present, int* num_set, int n,
                                          cudaStream_t stream = nullptr) {
    if (const cudaError_t status = cudaMemsetAsync(bloom, 0, 256 * sizeof(*bloom), stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(num_set, 0, sizeof(*num_set), stream)) return status;
    if (const cudaError_t status = launch_insert(keys, bloom, std::min((n + 3) / 4, 1024), stream))
        return status;
    if (const cudaError_t status = launch_query(queries, bloom, maybe_present, n, stream)) return status;
    if (const cudaError_t status = launch_count_set_bits(bloom, num_set, stream)) return status;
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

void fill_integers(Array<uint32_t>& x, unsigned seed, int end) {
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
    const int n = 1000, num_keys = 250;
    Array<uint32_t> keys(num_keys), queries(n), bloom(256);
    Array<int> maybe_present(n), num_set(1);
    fill_integers(keys, 0x2370168f, 2000);
    fill_integers(queries, 0x9c9df0a2, 4000);
    CUDA_CHECK(launch_bloom_insert_and_query(keys.device, queries.device, bloom.device, maybe_present.device,
                                             num_set.device, n));
    print_output("bloom", bloom);
    print_output("maybe_present", maybe_present);
    num_set.download();
    std::printf("num_set: %d\n", num_set.host[0]);
    return 0;
}
