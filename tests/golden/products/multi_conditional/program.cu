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

// Sum the total mass of all stars by pieces of the mass-luminosity relation. The luminosity is computed from
// the absolute magnitude.
__global__ void luminosity_mass(const float* __restrict__ absolute_magnitudes, float* total_star_mass,
                                int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float thread_total = 0.0f;
    if (i < n) {
        const float absolute_magnitude = absolute_magnitudes[i];
        const float star_luminosity =
            expf(0.921034f * fminf(fmaxf(-20.0f, 4.74f - absolute_magnitude), 20.0f));
        const float level = logf(fmaxf(star_luminosity, 1e-6f));
        float exponent = (level - 0.34f) / 3.5f;
        if (star_luminosity < 0.033f) {
            exponent = (level + 1.47f) / 2.3f;
        } else if (star_luminosity < 16.0f) {
            exponent = 0.25f * level;
        }
        const float star_mass = expf(exponent);
        thread_total = star_mass;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(&total_star_mass[0], block_total);
}

cudaError_t launch_luminosity_mass(const float* absolute_magnitudes, float* total_star_mass, int n,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    luminosity_mass<<<grid, block, 0, stream>>>(absolute_magnitudes, total_star_mass, n);
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
    Array<float> absolute_magnitudes(n), total_star_mass(1);
    fill_uniform(absolute_magnitudes, 0x2370168f, -5.0, 15.0);
    CUDA_CHECK(launch_luminosity_mass(absolute_magnitudes.device, total_star_mass.device, n));
    total_star_mass.download();
    double sum = 0.0;
    for (size_t i = 0; i < total_star_mass.count; ++i) sum += total_star_mass.host[i];
    std::printf("total_star_mass: first %g, last %g, sum %.9g\n", total_star_mass.host[0],
                total_star_mass.host[total_star_mass.count - 1], sum);
    return 0;
}
