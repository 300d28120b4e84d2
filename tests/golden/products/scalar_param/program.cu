#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for the first.
__device__ inline float block_reduce_max(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_max(partial[lane < blockDim.x / 32 ? lane : 0]) : value;
}

// CUDA has no atomic max of floating-point numbers. The bits of positive ones are in their order, as signed
// integers; those of negative ones in the opposite order, as unsigned ones.
__device__ inline void max_atomically(float* address, float v) {
    const float seen = *static_cast<volatile float*>(address);
    if (!(v > seen)) return;  // as most do not, and NaN
    if (signbit(v)) {
        atomicMin(reinterpret_cast<unsigned int*>(address), __float_as_uint(v));
    } else {
        atomicMax(reinterpret_cast<int*>(address), __float_as_int(v));
    }
}

// Find the maximum of the FPUT-beta chain force over all oscillators. Indices are clamped at both ends. Each
// block first finds its own maximum.
__global__ void compute_fput_beta_coupling_force(const float* __restrict__ displacements, int count,
                                                 float coupling_strength, float nonlinearity,
                                                 float* max_coupling_force) {
    const int oscillator = blockIdx.x * blockDim.x + threadIdx.x;
    float coupling_force = -INFINITY;
    if (oscillator < count) {
        const float displacement = displacements[oscillator];
        const float left = displacements[max(oscillator - 1, 0)];
        const float right = displacements[min(oscillator + 1, count - 1)];
        const float ahead = right - displacement;
        const float behind = displacement - left;
        coupling_force = coupling_strength * (ahead * (1.0f + nonlinearity * ahead * ahead) -
                                              behind * (1.0f + nonlinearity * behind * behind));
    }
    const float block_largest = block_reduce_max(coupling_force);
    if (threadIdx.x == 0) {
        max_atomically(max_coupling_force, block_largest);
    }
}

cudaError_t launch_compute_fput_beta_coupling_force(const float* displacements, int count,
                                                    float coupling_strength, float nonlinearity,
                                                    float* max_coupling_force,
                                                    cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    compute_fput_beta_coupling_force<<<grid, block, 0, stream>>>(displacements, count, coupling_strength,
                                                                 nonlinearity, max_coupling_force);
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
    Array<float> displacements(n), max_coupling_force(1);
    const float coupling_strength = 0.2524927f, nonlinearity = 0.54199827f;
    fill_uniform(displacements, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < max_coupling_force.count; ++i) max_coupling_force.host[i] = -3.4028235e38f;
    max_coupling_force.upload();
    CUDA_CHECK(launch_compute_fput_beta_coupling_force(displacements.device, n, coupling_strength,
                                                       nonlinearity, max_coupling_force.device));
    max_coupling_force.download();
    std::printf("max_coupling_force: %.9g\n", max_coupling_force.host[0]);
    return 0;
}
