#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int WIDTH = 256;

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for each of them.
__device__ inline float block_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
}

// Return x unchanged in the forward pass; only the gradient differs from that of the identity.
__device__ float reverse_gradient(float x, float /*strength*/) { return x; }

// Return the adjoint that reverse_gradient passes back: scaled by -strength.
__device__ float passed_back(float adjoint, float strength) { return -strength * adjoint; }

// Compute half the squared error of a log-linear unit behind reverse_gradient and, in the same pass, its
// reversed gradient with respect to the features. A block works on one sample.
// Blocks of 256 threads, one for each of 256 elements.
__global__ void gradient_reversal_layer(const float* __restrict__ features, const float* __restrict__ weights,
                                        const float* __restrict__ targets, float strength,
                                        float* __restrict__ losses, float* __restrict__ gradients) {
    const int sample = blockIdx.x;
    const int tid = threadIdx.x;
    const float w = weights[tid];
    const size_t index = size_t(sample) * WIDTH + tid;
    const float products = w * features[index];
    const float activation = block_sum(products);
    const float output = expf(reverse_gradient(activation, strength));
    const float error = output - targets[sample];
    const float adjoint = error * output;
    if (tid == 0) losses[sample] = 0.5f * error * error;
    const float factor = passed_back(adjoint, strength);
    gradients[index] = w * factor;
}

cudaError_t launch_gradient_reversal_layer(const float* features, const float* weights, const float* targets,
                                           float strength, float* losses, float* gradients, int samples,
                                           cudaStream_t stream = nullptr) {
    if (samples <= 0) return cudaSuccess;
    constexpr unsigned block = WIDTH;
    const unsigned grid = samples;
    gradient_reversal_layer<<<grid, block, 0, stream>>>(features, weights, targets, strength, losses,
                                                        gradients);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int samples = 18;
    Array<float> features(samples * 256), weights(256), targets(samples), losses(samples),
        gradients(samples * 256);
    const float strength = 0.48474804f;
    fill_uniform(features, 0x2370168f, -1.0, 1.0);
    fill_uniform(weights, 0x9c9df0a2, -0.1, 0.1);
    fill_uniform(targets, 0x8a2e10de, 0.5, 1.5);
    CUDA_CHECK(launch_gradient_reversal_layer(features.device, weights.device, targets.device, strength,
                                              losses.device, gradients.device, samples));
    print_output("losses", losses);
    print_output("gradients", gradients);
    return 0;
}
