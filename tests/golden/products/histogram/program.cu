#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_BINS = 48;

// Count the samples in bins by the delay between departure and arrival.
// Precondition: elements of arrival_seconds and departure_seconds lie in [0, 86400).
__global__ void delay_counts(const int* __restrict__ arrival_seconds,
                             const int* __restrict__ departure_seconds, int* histogram, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_histogram[NUM_BINS];
    if (threadIdx.x < NUM_BINS) shared_histogram[threadIdx.x] = 0;
    __syncthreads();

    for (uint32_t idx = blockIdx.x * blockDim.x + threadIdx.x; idx < uint32_t(n);
         idx += gridDim.x * blockDim.x) {
        const int arrival_second = arrival_seconds[idx];
        const int departure_second = departure_seconds[idx];
        const int bin_index = abs(arrival_second - departure_second) / 1800;
        atomicAdd(&shared_histogram[bin_index], 1);
    }

    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&histogram[threadIdx.x], shared_histogram[threadIdx.x]);
}

cudaError_t launch_delay_counts(const int* arrival_seconds, const int* departure_seconds, int* histogram,
                                int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    delay_counts<<<grid, block, 0, stream>>>(arrival_seconds, departure_seconds, histogram, n);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000, num_bins = 48;
    Array<int> arrival_seconds(n), departure_seconds(n), histogram(num_bins);
    fill_integers(arrival_seconds, 0x2370168f, 86400);
    fill_integers(departure_seconds, 0x9c9df0a2, 86400);
    CUDA_CHECK(launch_delay_counts(arrival_seconds.device, departure_seconds.device, histogram.device, n));
    histogram.download();
    double sum = 0.0;
    for (size_t i = 0; i < histogram.count; ++i) sum += histogram.host[i];
    std::printf("histogram: first %g, last %g, sum %.9g\n", double(histogram.host[0]),
                double(histogram.host[histogram.count - 1]), sum);
    return 0;
}
