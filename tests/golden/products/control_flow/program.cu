#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Index of the first element that is not below the key.
__device__ int first_not_below(const int* sorted_keys, int key, int sorted_keys_count) {
    int low = 0;
    int high = sorted_keys_count;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (sorted_keys[mid] < key) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

// How many elements of a sorted table lie in each half-open range.
__global__ void count_in_range(const int* __restrict__ sorted_keys, const int* __restrict__ starts,
                               const int* __restrict__ ends, int* __restrict__ counts, int n, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    counts[i] = first_not_below(sorted_keys, ends[i], size) - first_not_below(sorted_keys, starts[i], size);
}

cudaError_t launch_count_in_range(const int* sorted_keys, const int* starts, const int* ends, int* counts,
                                  int n, int size, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_in_range<<<grid, block, 0, stream>>>(sorted_keys, starts, ends, counts, n, size);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000, size = 338;
    Array<int> sorted_keys(size), starts(n), ends(n), counts(n);
    for (size_t i = 0; i < sorted_keys.count; ++i) sorted_keys.host[i] = i * 4 + pcg(0x2370168f + i) % 4;
    sorted_keys.upload();
    fill_integers(starts, 0x9c9df0a2, 0, 2 * size);
    fill_integers(ends, 0x8a2e10de, 2 * size, 4 * size);
    CUDA_CHECK(launch_count_in_range(sorted_keys.device, starts.device, ends.device, counts.device, n, size));
    counts.download();
    double sum = 0.0;
    for (size_t i = 0; i < counts.count; ++i) sum += counts.host[i];
    std::printf("counts: first %g, last %g, sum %.9g\n", double(counts.host[0]),
                double(counts.host[counts.count - 1]), sum);
    return 0;
}
