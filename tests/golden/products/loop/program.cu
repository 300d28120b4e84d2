#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Apply layer normalization over the channels of each position; mean and variance are computed in one pass by
// Welford's update. `epsilon` is added to the variance against division by zero. inputs[c, i] is channel c of
// position i.
__global__ void layer_norm_2d(const float* __restrict__ inputs, const float* __restrict__ gamma,
                              const float* __restrict__ beta, float epsilon, float* __restrict__ outputs,
                              int positions, int channels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions) return;

    float mean = 0.0f;
    float squares = 0.0f;
    for (int c = 0; c < channels; ++c) {
        const float value = inputs[size_t(c) * positions + i];
        const float delta = value - mean;
        mean += delta / float(c + 1);
        squares += delta * (value - mean);
    }
    const float inv_std = 1.0f / sqrtf(squares / float(channels) + epsilon);

    for (int c = 0; c < channels; ++c) {
        const size_t index = size_t(c) * positions + i;
        outputs[index] = (inputs[index] - mean) * inv_std * gamma[c] + beta[c];
    }
}

cudaError_t launch_layer_norm_2d(const float* inputs, const float* gamma, const float* beta, float epsilon,
                                 float* outputs, int positions, int channels, cudaStream_t stream = nullptr) {
    if (positions <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (positions + block - 1) / block;
    layer_norm_2d<<<grid, block, 0, stream>>>(inputs, gamma, beta, epsilon, outputs, positions, channels);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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
    const int positions = 18, channels = 128;
    Array<float> inputs(channels * positions), gamma(channels), beta(channels), outputs(channels * positions);
    const float epsilon = 0.004280703f;
    fill_uniform(inputs, 0x2370168f, -2.0, 3.0);
    fill_uniform(gamma, 0x9c9df0a2, 0.5, 1.5);
    fill_uniform(beta, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_layer_norm_2d(inputs.device, gamma.device, beta.device, epsilon, outputs.device,
                                    positions, channels));
    outputs.download();
    double sum = 0.0;
    for (size_t i = 0; i < outputs.count; ++i) sum += outputs.host[i];
    std::printf("outputs: first %g, last %g, sum %.9g\n", outputs.host[0], outputs.host[outputs.count - 1],
                sum);
    return 0;
}
