#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline float block_sum(float value) {
    __shared__ float partial[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    const int warps = blockDim.x / 32;
    value = partial[0];
    for (int warp = 1; warp < warps; ++warp) {
        value += partial[warp];
    }
    return value;
}

// Sum the total loss of all rows by the multiclass hinge.
// Precondition: elements of true_classes lie in [0, classes).
__global__ void multiclass_hinge_kernel(const float* __restrict__ logits,
                                        const int* __restrict__ true_classes, float* total_loss, int n,
                                        int classes) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    float thread_total = 0.0f;
    if (sample < n) {
        const int true_class = true_classes[sample];
        const size_t row_start = size_t(sample) * classes;
        const float own = logits[row_start + true_class];
        float loss = 0.0f;
        for (int j = 0; j < 8; ++j) {
            if (j == true_class) {
                continue;
            }
            loss += fmaxf(0.6f + logits[row_start + j] - own, 0.0f);
        }
        const float other_loss = loss / 8.0f;
        thread_total = other_loss;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(&total_loss[0], block_total);
}

cudaError_t launch_multiclass_hinge_kernel(const float* logits, const int* true_classes, float* total_loss,
                                           int n, int classes, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    multiclass_hinge_kernel<<<grid, block, 0, stream>>>(logits, true_classes, total_loss, n, classes);
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

int main() {
    const int n = 1000, classes = 8;
    Array<float> logits(n * classes), total_loss(1);
    Array<int> true_classes(n);
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    for (size_t i = 0; i < true_classes.count; ++i) true_classes.host[i] = pcg(0x9c9df0a2 + i) % classes;
    true_classes.upload();
    CUDA_CHECK(
        launch_multiclass_hinge_kernel(logits.device, true_classes.device, total_loss.device, n, classes));
    total_loss.download();
    double sum = 0.0;
    for (size_t i = 0; i < total_loss.count; ++i) sum += total_loss.host[i];
    std::printf("total_loss: first %g, last %g, sum %.9g\n", total_loss.host[0],
                total_loss.host[total_loss.count - 1], sum);
    return 0;
}
