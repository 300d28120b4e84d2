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

// Compute the softmax over the valid channels of each position, which are the first ones; the others are set
// to 0. The channels are the first axis; their maximum and the sum of exponentials come from a single pass
// (online softmax).
// Precondition: elements of num_valid lie in [1, 17).
__global__ void masked_channel_softmax(const float* __restrict__ x, const int* __restrict__ num_valid,
                                       float* __restrict__ y, int count, int num_channels) {
    const int position = blockIdx.x * blockDim.x + threadIdx.x;
    if (position >= count) return;

    const int channels = num_valid[position];
    float largest = x[position];
    float total = 1.0f;
    for (int k = 1; k < channels; ++k) {
        const float logit = x[k * count + position];
        const float new_largest = fmaxf(largest, logit);
        total = total * expf(largest - new_largest) + expf(logit - new_largest);
        largest = new_largest;
    }
    for (int k = 0; k < channels; ++k) {
        const int index = k * count + position;
        y[index] = expf(x[index] - largest) / total;
    }
    for (int k = channels; k < num_channels; ++k) {
        y[k * count + position] = 0.0f;
    }
}

cudaError_t launch_masked_channel_softmax(const float* x, const int* num_valid, float* y, int count,
                                          int num_channels, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    if (int64_t(num_channels) * count > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    masked_channel_softmax<<<grid, block, 0, stream>>>(x, num_valid, y, count, num_channels);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int count = 63, num_channels = 16;
    Array<float> x(num_channels * count), y(num_channels * count);
    Array<int> num_valid(count);
    fill_uniform(x, 0x2370168f, -8.0, 8.0);
    fill_integers(num_valid, 0x9c9df0a2, 1, 17);
    CUDA_CHECK(launch_masked_channel_softmax(x.device, num_valid.device, y.device, count, num_channels));
    y.download();
    double sum = 0.0;
    for (size_t i = 0; i < y.count; ++i) sum += y.host[i];
    std::printf("y: first %g, last %g, sum %.9g\n", y.host[0], y.host[y.count - 1], sum);
    return 0;
}
