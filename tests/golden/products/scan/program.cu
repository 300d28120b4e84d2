#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// segmented_scan_by_doubling: Compute segmented prefix sums by recursive doubling in 18 passes, enough for
// 2^18 elements.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Set the stride to one.
__global__ void start_stride(int* __restrict__ stride) {
    const int i = threadIdx.x;

    stride[i] = 1;
}

cudaError_t launch_start_stride(int* stride, cudaStream_t stream) {
    constexpr unsigned block = 1;
    constexpr unsigned grid = 1;
    start_stride<<<grid, block, 0, stream>>>(stride);
    return cudaGetLastError();
}

// Combine each element with the one that is a stride before it, unless a segment begins between them.
__global__ void combine(const int* __restrict__ before, const int* __restrict__ heads,
                        const int* __restrict__ stride, int* __restrict__ after, int* __restrict__ new_heads,
                        int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int other = i - stride[0];
    int total = before[i];
    int head = heads[i];
    if (other >= 0) {
        if (head == 0) {
            total += before[other];
        }
        head |= heads[other];
    }
    after[i] = total;
    new_heads[i] = head;
}

cudaError_t launch_combine(const int* before, const int* heads, const int* stride, int* after, int* new_heads,
                           int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    combine<<<grid, block, 0, stream>>>(before, heads, stride, after, new_heads, n);
    return cudaGetLastError();
}

// Double the stride, up to the length of the array.
__global__ void double_stride(int count, int* __restrict__ stride) {
    const int i = threadIdx.x;

    stride[i] = min(2 * stride[i], count);
}

cudaError_t launch_double_stride(int count, int* stride, cudaStream_t stream) {
    constexpr unsigned block = 1;
    constexpr unsigned grid = 1;
    double_stride<<<grid, block, 0, stream>>>(count, stride);
    return cudaGetLastError();
}

cudaError_t launch_segmented_scan_by_doubling(int* x, int* heads, int count, int* stride, int* scratch,
                                              int* scratch_heads, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_start_stride(stride, stream)) return status;
    for (int repetition = 0; repetition < 9; ++repetition) {
        if (const cudaError_t status =
                launch_combine(x, heads, stride, scratch, scratch_heads, count, stream))
            return status;
        if (const cudaError_t status = launch_double_stride(count, stride, stream)) return status;
        if (const cudaError_t status =
                launch_combine(scratch, scratch_heads, stride, x, heads, count, stream))
            return status;
        if (const cudaError_t status = launch_double_stride(count, stride, stream)) return status;
    }
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
    Array<int> x(n), heads(n), stride(1), scratch(n), scratch_heads(n);
    fill_integers(x, 0x2370168f, -9, 10);
    fill_integers(heads, 0x9c9df0a2, 0, 2);
    CUDA_CHECK(launch_segmented_scan_by_doubling(x.device, heads.device, n, stride.device, scratch.device,
                                                 scratch_heads.device));
    print_output("x", x);
    print_output("heads", heads);
    stride.download();
    std::printf("stride: %d\n", stride.host[0]);
    print_output("scratch", scratch);
    print_output("scratch_heads", scratch_heads);
    return 0;
}
