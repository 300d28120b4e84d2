#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// multi_block_scan: Exclusive prefix sum of a long array: reduce chunks, scan their totals, scan chunks.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int CHUNK = 64;

// Sum of each chunk.
__global__ void reduce_chunks(const float* __restrict__ samples, float* __restrict__ chunk_totals,
                              int num_chunks, int n) {
    const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= num_chunks) return;

    float total = 0.0f;
    for (int i = chunk * CHUNK; i < min((chunk + 1) * CHUNK, n); ++i) {
        total += samples[i];
    }
    chunk_totals[chunk] = total;
}

cudaError_t launch_reduce_chunks(const float* samples, float* chunk_totals, int num_chunks, int n,
                                 cudaStream_t stream) {
    if (num_chunks == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_chunks + block - 1) / block;
    reduce_chunks<<<grid, block, 0, stream>>>(samples, chunk_totals, num_chunks, n);
    return cudaGetLastError();
}

// Exclusive scan of the chunks' totals in place by one thread, and the total of all.
__global__ void scan_totals(float* __restrict__ chunk_totals, int num_chunks, float* __restrict__ whole) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= 1) return;

    float total = 0.0f;
    for (int chunk = 0; chunk < num_chunks; ++chunk) {
        const float before = total;
        total += chunk_totals[chunk];
        chunk_totals[chunk] = before;
    }
    whole[t] = total;
}

cudaError_t launch_scan_totals(float* chunk_totals, int num_chunks, float* whole, cudaStream_t stream) {
    // There are no more than 1 threads.
    constexpr unsigned block = 32;
    const unsigned grid = (1 + block - 1) / block;
    scan_totals<<<grid, block, 0, stream>>>(chunk_totals, num_chunks, whole);
    return cudaGetLastError();
}

// Scan a chunk from the total of those before it.
__global__ void scan_chunks(const float* __restrict__ samples, const float* __restrict__ chunk_totals,
                            float* __restrict__ scanned, int num_chunks, int n) {
    const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= num_chunks) return;

    float total = chunk_totals[chunk];
    for (int i = chunk * CHUNK; i < min((chunk + 1) * CHUNK, n); ++i) {
        scanned[i] = total;
        total += samples[i];
    }
}

cudaError_t launch_scan_chunks(const float* samples, const float* chunk_totals, float* scanned,
                               int num_chunks, int n, cudaStream_t stream) {
    if (num_chunks == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_chunks + block - 1) / block;
    scan_chunks<<<grid, block, 0, stream>>>(samples, chunk_totals, scanned, num_chunks, n);
    return cudaGetLastError();
}

cudaError_t launch_multi_block_scan(const float* samples, int num_chunks, float* chunk_totals, float* whole,
                                    float* scanned, int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_reduce_chunks(samples, chunk_totals, num_chunks, n, stream))
        return status;
    if (const cudaError_t status = launch_scan_totals(chunk_totals, num_chunks, whole, stream)) return status;
    if (const cudaError_t status = launch_scan_chunks(samples, chunk_totals, scanned, num_chunks, n, stream))
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, num_chunks = 16;
    Array<float> samples(n), chunk_totals(num_chunks), whole(1), scanned(n);
    fill_uniform(samples, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_multi_block_scan(samples.device, num_chunks, chunk_totals.device, whole.device,
                                       scanned.device, n));
    print_output("chunk_totals", chunk_totals);
    whole.download();
    std::printf("whole: %.9g\n", whole.host[0]);
    print_output("scanned", scanned);
    return 0;
}
