#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline double warp_sum(double value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them. A barrier must lie between two calls.
__device__ inline double block_sum(double value) {
    __shared__ double partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warps = blockDim.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_sum(lane < warps ? partial[lane] : 0.0);
}

// Mean of the epsilon-insensitive loss per batch. One block of 128 threads per batch.
__global__ void mean_eval_insensitive_loss(const double* __restrict__ predictions,
                                           const double* __restrict__ targets, int num_samples, double knee,
                                           double* __restrict__ mean_losses) {
    const int batch = blockIdx.x;
    const int thread = threadIdx.x;
    double own_sum = 0.0;
    const int row_start = batch * num_samples;
    for (int sample = thread; sample < num_samples; sample += blockDim.x) {
        const double prediction = predictions[row_start + sample];
        const double target = targets[row_start + sample];
        const double residual = prediction - target;
        const double loss = fmax(fabs(residual) - knee, 0.0);
        own_sum += loss;
    }
    const double total = block_sum(own_sum);
    const double batch_mean = total / double(num_samples);
    if (thread == 0) {
        mean_losses[batch] = batch_mean;
    }
}

cudaError_t launch_mean_eval_insensitive_loss(const double* predictions, const double* targets,
                                              int num_samples, double knee, double* mean_losses, int batches,
                                              cudaStream_t stream = nullptr) {
    if (batches == 0) return cudaSuccess;
    if (int64_t(batches) * num_samples > INT_MAX) return cudaErrorInvalidValue;
    // The kernel is written for blocks of this size.
    constexpr unsigned block = 128;
    const unsigned grid = batches;
    mean_eval_insensitive_loss<<<grid, block, 0, stream>>>(predictions, targets, num_samples, knee,
                                                           mean_losses);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int batches = 150, samples = 445;
    Array<double> predictions(batches * samples), targets(batches * samples), mean_losses(batches);
    const double knee = 0.5564987153875439;
    fill_uniform(predictions, 0x2370168f, -2.0, 2.0);
    fill_uniform(targets, 0x9c9df0a2, -2.0, 2.0);
    CUDA_CHECK(launch_mean_eval_insensitive_loss(predictions.device, targets.device, samples, knee,
                                                 mean_losses.device, batches));
    mean_losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < mean_losses.count; ++i) sum += mean_losses.host[i];
    std::printf("mean_losses: first %g, last %g, sum %.9g\n", mean_losses.host[0],
                mean_losses.host[mean_losses.count - 1], sum);
    return 0;
}
