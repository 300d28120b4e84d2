#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Embedding loss from the similarity and whether both are alike.
__device__ float embedding_loss(float similarity, int same, float margin_width) {
    float loss = fmaxf(similarity - margin_width, 0.0f);
    if (same == 1) {
        loss = 1.0f - similarity;
    }
    return loss;
}

// Compute the embedding loss of each row from the similarity and whether both are alike.
__global__ void row_loss(const float* __restrict__ similarities, const int* __restrict__ same_flags,
                         float margin_width, float* __restrict__ losses, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;

    const float similarity = similarities[row];
    const int same = same_flags[row];
    const float loss = embedding_loss(similarity, same, margin_width);
    losses[row] = loss;
}

cudaError_t launch_row_loss(const float* similarities, const int* same_flags, float margin_width,
                            float* losses, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    row_loss<<<grid, block, 0, stream>>>(similarities, same_flags, margin_width, losses, n);
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
    const int n = 1000;
    Array<float> similarities(n), losses(n);
    Array<int> same_flags(n);
    const float margin_width = 0.23230319f;
    fill_uniform(similarities, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < same_flags.count; ++i) same_flags.host[i] = pcg(0x9c9df0a2 + i) % 2;
    same_flags.upload();
    CUDA_CHECK(launch_row_loss(similarities.device, same_flags.device, margin_width, losses.device, n));
    losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < losses.count; ++i) sum += losses.host[i];
    std::printf("losses: first %g, last %g, sum %.9g\n", losses.host[0], losses.host[losses.count - 1], sum);
    return 0;
}
