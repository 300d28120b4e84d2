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

__constant__ float components[240];

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f) : value;
}

// Sum the energy in the leading principal components over all rows. Reduced in each block, then by one
// atomic.
__global__ void eval_principal_energy(const float* __restrict__ features, int count, int num_degree,
                                      float* total_energy) {
    float energy = 0.0f;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(count);
         i += gridDim.x * blockDim.x) {
        float other_energy = 0.0f;
        for (int c = 0; c < num_degree; ++c) {
            float projection = 0.0f;
            for (int j = 0; j < 48; ++j) {
                projection += features[size_t(j) * count + i] * components[c * 48 + j];
            }
            other_energy += projection * projection;
        }
        energy += other_energy;
    }

    const float block_total = block_reduce_sum(energy);
    if (threadIdx.x == 0) atomicAdd(total_energy, block_total);
}

cudaError_t launch_eval_principal_energy(const float* features, int count, int num_degree,
                                         float* total_energy, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 64;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    eval_principal_energy<<<grid, block, 0, stream>>>(features, count, num_degree, total_energy);
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
    const int n = 1000, features_size = 48, degree = 5;
    Array<float> features(features_size * n), total_energy(1), components_(5 * 48);
    fill_uniform(features, 0x2370168f, -2.0, 2.0);
    fill_uniform(components_, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(cudaMemcpyToSymbol(components, components_.host, sizeof(components)));
    CUDA_CHECK(launch_eval_principal_energy(features.device, n, degree, total_energy.device));
    total_energy.download();
    std::printf("total_energy: %.9g\n", total_energy.host[0]);
    return 0;
}
