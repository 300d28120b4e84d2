#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// closest_event_by_key: Find the nearest event of each cell by an atomic minimum on distance and index in one
// key.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int64_t NO_KEY = 9223372036854775807ll;

__device__ inline int64_t min_atomically(int64_t* address, int64_t v) {
    long long* const bits = reinterpret_cast<long long*>(address);
    return static_cast<int64_t>(atomicMin(bits, static_cast<long long>(v)));
}

// Pack an amount and an index into a 64-bit key that orders by amount, then by index, so that ties do not
// depend on timing.
__device__ int64_t pack(int amount, int index) { return (int64_t(amount) << 32) | int64_t(index); }

// Reset the key of every cell to NO_KEY.
__global__ void clear_keys(int64_t* __restrict__ keys, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    keys[i] = NO_KEY;
}

cudaError_t launch_clear_keys(int64_t* keys, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    clear_keys<<<grid, block, 0, stream>>>(keys, count);
    return cudaGetLastError();
}

// Offer each event to its cell; one atomic keeps the smallest key.
// Precondition: elements of cells are indices of keys.
__global__ void offer_keys(const int* __restrict__ cells, const int* __restrict__ distances, int64_t* keys,
                           int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    min_atomically(&keys[cells[i]], pack(distances[i], i));
}

cudaError_t launch_offer_keys(const int* cells, const int* distances, int64_t* keys, int n,
                              cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    offer_keys<<<grid, block, 0, stream>>>(cells, distances, keys, n);
    return cudaGetLastError();
}

// Unpack the winning event of each cell and its amount; both are -1 if there is none.
__global__ void read_winners(const int64_t* __restrict__ keys, int* __restrict__ winners,
                             int* __restrict__ least_distances, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const int64_t key = keys[i];
    int winner = -1;
    int amount = -1;
    if (key != NO_KEY) {
        winner = int(key & 0xFFFFFFFFll);
        amount = int(key >> 32);
    }
    winners[i] = winner;
    least_distances[i] = amount;
}

cudaError_t launch_read_winners(const int64_t* keys, int* winners, int* least_distances, int count,
                                cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    read_winners<<<grid, block, 0, stream>>>(keys, winners, least_distances, count);
    return cudaGetLastError();
}

cudaError_t launch_closest_event_by_key(const int* cells, const int* distances, int64_t* keys, int* winners,
                                        int* least_distances, int n, int count,
                                        cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_clear_keys(keys, count, stream)) return status;
    if (const cudaError_t status = launch_offer_keys(cells, distances, keys, n, stream)) return status;
    if (const cudaError_t status = launch_read_winners(keys, winners, least_distances, count, stream))
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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, count = 253;
    Array<int> cells(n), distances(n), winners(count), least_distances(count);
    Array<int64_t> keys(count);
    fill_integers(cells, 0x2370168f, 0, count);
    fill_integers(distances, 0x9c9df0a2, 1, 100000);
    CUDA_CHECK(launch_closest_event_by_key(cells.device, distances.device, keys.device, winners.device,
                                           least_distances.device, n, count));
    print_output("keys", keys);
    print_output("winners", winners);
    print_output("least_distances", least_distances);
    return 0;
}
