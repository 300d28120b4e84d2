#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Rank of a chosen one among the 8 keys of each row. The rank is divided by 2. The larger of the result and
// what is stored is kept.
// Precondition: elements of chosen lie in [0, width).
__global__ void order_in_row(const float* __restrict__ scores, const int* __restrict__ chosen,
                             int* __restrict__ largest_ranks, int n, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int pick = chosen[i];
    const float mine = scores[size_t(i) * width + pick];
    int rank = 0;
    for (int j = 0; j < 8; ++j) {
        const float other = scores[size_t(i) * width + j];
        if (other > mine) {
            rank += 1;
        }
    }
    largest_ranks[i] = max(largest_ranks[i], rank / 2);
}

cudaError_t launch_order_in_row(const float* scores, const int* chosen, int* largest_ranks, int n, int width,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    order_in_row<<<grid, block, 0, stream>>>(scores, chosen, largest_ranks, n, width);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, width = 8;
    Array<float> scores(n * width);
    Array<int> chosen(n), largest_ranks(n);
    fill_uniform(scores, 0x2370168f, -1.0, 1.0);
    fill_integers(chosen, 0x9c9df0a2, width);
    fill_integers(largest_ranks, 0x8a2e10de, 5);
    CUDA_CHECK(launch_order_in_row(scores.device, chosen.device, largest_ranks.device, n, width));
    largest_ranks.download();
    double sum = 0.0;
    for (size_t i = 0; i < largest_ranks.count; ++i) sum += largest_ranks.host[i];
    std::printf("largest_ranks: first %g, last %g, sum %.9g\n", double(largest_ranks.host[0]),
                double(largest_ranks.host[largest_ranks.count - 1]), sum);
    return 0;
}
