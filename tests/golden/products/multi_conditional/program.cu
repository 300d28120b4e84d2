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

// Sum of the wind power over all stations. Each block adds its sum by one atomic.
__global__ void wind_turbine_power_curve(const float* __restrict__ measured_winds,
                                         const float* __restrict__ air_densities, int count, float height,
                                         float shear_exponent, float rated_speed, float* total_wind_power) {
    float wind_power = 0.0f;
    for (uint32_t s = blockIdx.x * blockDim.x + threadIdx.x; s < uint32_t(count);
         s += gridDim.x * blockDim.x) {
        const float measured_wind = measured_winds[s];
        const float wind_speed = measured_wind * powf(height / 10.0f, shear_exponent);
        const float air_density = air_densities[s];
        float power;
        if (wind_speed < 3.0f || wind_speed > 24.0f) {
            power = 0.0f;
        } else if (wind_speed > rated_speed) {
            power = 0.5f * air_density * rated_speed * rated_speed * rated_speed;
        } else {
            power = 0.5f * air_density * wind_speed * wind_speed * wind_speed;
        }
        wind_power += power;
    }

    const float block_total = block_reduce_sum(wind_power);
    if (threadIdx.x == 0) atomicAdd(total_wind_power, block_total);
}

cudaError_t launch_wind_turbine_power_curve(const float* measured_winds, const float* air_densities,
                                            int count, float height, float shear_exponent, float rated_speed,
                                            float* total_wind_power, cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    wind_turbine_power_curve<<<grid, block, 0, stream>>>(measured_winds, air_densities, count, height,
                                                         shear_exponent, rated_speed, total_wind_power);
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
    Array<float> measured_winds(n), air_densities(n), total_wind_power(1);
    const float height = 43.894783f, shear_exponent = 0.16251352f, rated_speed = 13.427683f;
    fill_uniform(measured_winds, 0x2370168f, 0.0, 24.0);
    fill_uniform(air_densities, 0x9c9df0a2, 0.9, 1.4);
    CUDA_CHECK(launch_wind_turbine_power_curve(measured_winds.device, air_densities.device, n, height,
                                               shear_exponent, rated_speed, total_wind_power.device));
    total_wind_power.download();
    std::printf("total_wind_power: %.9g\n", total_wind_power.host[0]);
    return 0;
}
