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
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0);
}

// Compute the mean and the variance of the loss of all samples of each ensemble, by the epsilon-insensitive
// function of the residual. A block of 64 threads reduces each ensemble, by Welford's method.
__global__ void mean_loss(const double* __restrict__ predictions, const double* __restrict__ targets,
                          double* __restrict__ mean_losses, double* __restrict__ loss_variances,
                          int num_samples, double knee) {
    const int ensemble = blockIdx.x;
    const int thread = threadIdx.x;
    double seen = 0.0;
    double mean = 0.0;
    double spread = 0.0;
    const int row_start = ensemble * num_samples;
    for (int i = thread; i < num_samples; i += blockDim.x) {
        const double prediction = predictions[row_start + i];
        const double target = targets[row_start + i];
        const double residual = prediction - target;
        const double loss = fmax(fabs(residual) - knee, 0.0);
        seen += 1.0;
        const double delta = loss - mean;
        mean += delta / seen;
        spread += delta * (loss - mean);
    }
    const double total = block_sum(seen * mean);
    const double ensemble_mean = total / double(num_samples);
    const double shift = mean - ensemble_mean;
    __syncthreads();
    const double total2 = block_sum(spread + seen * shift * shift);
    const double ensemble_variance = total2 / double(num_samples);
    if (thread == 0) {
        mean_losses[ensemble] = ensemble_mean;
        loss_variances[ensemble] = ensemble_variance;
    }
}

cudaError_t launch_mean_loss(const double* predictions, const double* targets, double* mean_losses,
                             double* loss_variances, int num_samples, double knee, int ensembles,
                             cudaStream_t stream = nullptr) {
    if (ensembles == 0) return cudaSuccess;
    if (int64_t(ensembles) * num_samples > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 64;
    const unsigned grid = ensembles;
    mean_loss<<<grid, block, 0, stream>>>(predictions, targets, mean_losses, loss_variances, num_samples,
                                          knee);
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

void print_output(const char* name, Array<double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int ensembles = 150, samples = 236;
    Array<double> predictions(ensembles * samples), targets(ensembles * samples), mean_losses(ensembles),
        loss_variances(ensembles);
    const double knee = 0.7855366757292721;
    fill_uniform(predictions, 0x2370168f, -2.0, 2.0);
    fill_uniform(targets, 0x9c9df0a2, -2.0, 2.0);
    CUDA_CHECK(launch_mean_loss(predictions.device, targets.device, mean_losses.device, loss_variances.device,
                                samples, knee, ensembles));
    print_output("mean_losses", mean_losses);
    print_output("loss_variances", loss_variances);
    return 0;
}
