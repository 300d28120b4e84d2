#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Keep the rays that have not hit anything, by their indices, in any order.
// Precondition: no element of num_kept is negative.
__global__ void keep_active_rays(const int* __restrict__ hit_ids, int* num_kept, int* __restrict__ kept_ids,
                                 int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (hit_ids[i] >= 0) return;

    const int slot = atomicAdd(num_kept, 1);
    kept_ids[slot] = i;
}

cudaError_t launch_keep_active_rays(const int* hit_ids, int* num_kept, int* kept_ids, int n,
                                    cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    keep_active_rays<<<grid, block, 0, stream>>>(hit_ids, num_kept, kept_ids, n);
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
    const int n = 1000;
    Array<int> hit_ids(n), num_kept(1), kept_ids(n);
    fill_integers(hit_ids, 0x2370168f, -3, 4);
    for (size_t i = 0; i < kept_ids.count; ++i) kept_ids.host[i] = -1;
    kept_ids.upload();
    CUDA_CHECK(launch_keep_active_rays(hit_ids.device, num_kept.device, kept_ids.device, n));
    num_kept.download();
    std::printf("num_kept: %d\n", num_kept.host[0]);
    kept_ids.download();
    double sum = 0.0;
    for (size_t i = 0; i < kept_ids.count; ++i) sum += kept_ids.host[i];
    std::printf("kept_ids: first %g, last %g, sum %.9g\n", double(kept_ids.host[0]),
                double(kept_ids.host[kept_ids.count - 1]), sum);
    return 0;
}
