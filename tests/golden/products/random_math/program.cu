#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Draw the normal deviate of each sample by a rational quantile function, with the uniform number by a hash
// of the sample number.
__global__ void draw_normal_deviate(float* __restrict__ normal_deviates, int n) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n) return;

    const uint32_t word = uint32_t(tid) * 0x2C9277B5u + 0xAC564B05u;
    const uint32_t mixed = ((word >> ((word >> 28) + 4u)) ^ word) * 277803737u;
    const float uniform_number = float(mixed >> 8) / 16777216.0f;
    const float share = 1e-6f + 0.999998f * uniform_number;
    const float least = fminf(share, 1.0f - share);
    const float t = sqrtf(-2.0f * logf(least));
    const float quantile = t - (2.515517f + t * (0.802853f + t * 0.010328f)) /
                                   (1.0f + t * (1.432788f + t * (0.189269f + t * 0.001308f)));
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    const float normal_deviate = share < 0.5f ? 0.0f - quantile : quantile;
    normal_deviates[tid] = normal_deviate;
}

cudaError_t launch_draw_normal_deviate(float* normal_deviates, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    draw_normal_deviate<<<grid, block, 0, stream>>>(normal_deviates, n);
    return cudaGetLastError();
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
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

int main() {
    const int n = 1000;
    Array<float> normal_deviates(n);
    CUDA_CHECK(launch_draw_normal_deviate(normal_deviates.device, n));
    normal_deviates.download();
    double sum = 0.0;
    for (size_t i = 0; i < normal_deviates.count; ++i) sum += normal_deviates.host[i];
    std::printf("normal_deviates: first %g, last %g, sum %.9g\n", normal_deviates.host[0],
                normal_deviates.host[normal_deviates.count - 1], sum);
    return 0;
}
