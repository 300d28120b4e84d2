#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int MAX_PROBES = 32;
constexpr int FREE_SLOT = -1;

// Return the slot at which the search for a key begins, by multiplicative hashing.
__device__ int hash_key(int key, int capacity) {
    const uint32_t h = uint32_t(key) * 0x9E3779B9u;
    return int((h >> 7) % uint32_t(capacity));
}

// Insert keys into an open-addressing hash table by linear probing, and add the number of new ones to
// num_stored. Free slots of table hold -1, which no key may equal. Keys that find no slot within MAX_PROBES
// probes are dropped.
__global__ void build_hash_set(const int* __restrict__ keys, int* num_stored, int* table, int n,
                               int capacity) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int key = keys[i];
    int slot = hash_key(key, capacity);
    for (int probe = 0; probe < MAX_PROBES; ++probe) {
        int found = table[slot];
        if (found == FREE_SLOT) {
            found = atomicCAS(&table[slot], FREE_SLOT, key);
            if (found == FREE_SLOT) {
                // nvcc makes one atomic for the threads of a warp that get here together.
                atomicAdd(num_stored, 1);
                return;
            }
        }
        if (found == key) {
            return;
        }
        slot = slot + 1 == capacity ? 0 : slot + 1;
    }
}

cudaError_t launch_build_hash_set(const int* keys, int* num_stored, int* table, int n, int capacity,
                                  cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    if (capacity < 1) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    build_hash_set<<<grid, block, 0, stream>>>(keys, num_stored, table, n, capacity);
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

int main() {
    const int n = 1000, capacity = 8064;
    Array<int> keys(n), num_stored(1), table(capacity);
    for (size_t i = 0; i < keys.count; ++i) keys.host[i] = pcg(0x2370168f + i) % (16 * n);
    keys.upload();
    for (size_t i = 0; i < table.count; ++i) table.host[i] = -1;
    table.upload();
    CUDA_CHECK(launch_build_hash_set(keys.device, num_stored.device, table.device, n, capacity));
    num_stored.download();
    std::printf("num_stored: %d\n", num_stored.host[0]);
    table.download();
    double sum = 0.0;
    for (size_t i = 0; i < table.count; ++i) sum += table.host[i];
    std::printf("table: first %g, last %g, sum %.9g\n", double(table.host[0]),
                double(table.host[table.count - 1]), sum);
    return 0;
}
