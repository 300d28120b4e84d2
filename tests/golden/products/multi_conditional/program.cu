#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float ZERO_CELSIUS = 273.15f;
constexpr float VIRTUAL_SHARE = 0.61f;
constexpr float DRY_AIR_CONSTANT = 2.8705f;
constexpr float RATED_SPEED = 14.0f;

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

// Sum the wind power of all stations by the curve of a turbine. Take the wind speed at another height by a
// logarithmic profile and the air density by the gas law of moist air.
__global__ void turbine_power(const float* __restrict__ measured_winds, const float* __restrict__ pressures,
                              const float* __restrict__ air_temperatures,
                              const float* __restrict__ mixing_ratios, float height, float roughness,
                              float* total_wind_power, int n) {
    float thread_total = 0.0f;
    for (uint32_t s = blockIdx.x * blockDim.x + threadIdx.x; s < uint32_t(n); s += gridDim.x * blockDim.x) {
        const float measured_wind = measured_winds[s];
        const float wind_speed = measured_wind * logf(height / roughness) / logf(10.0f / roughness);
        const float pressure = pressures[s];
        const float air_temperature = air_temperatures[s];
        const float mixing_ratio = mixing_ratios[s];
        const float virtual_temperature =
            (air_temperature + ZERO_CELSIUS) * (1.0f + VIRTUAL_SHARE * mixing_ratio);
        const float air_density = pressure / (DRY_AIR_CONSTANT * virtual_temperature);
        float wind_power;
        if (wind_speed < 3.0f || wind_speed > 24.0f) {
            wind_power = 0.0f;
        } else if (wind_speed > RATED_SPEED) {
            wind_power = 0.5f * air_density * RATED_SPEED * RATED_SPEED * RATED_SPEED;
        } else {
            wind_power = 0.5f * air_density * wind_speed * wind_speed * wind_speed;
        }
        thread_total += wind_power;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(total_wind_power, block_total);
}

cudaError_t launch_turbine_power(const float* measured_winds, const float* pressures,
                                 const float* air_temperatures, const float* mixing_ratios, float height,
                                 float roughness, float* total_wind_power, int n,
                                 cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    turbine_power<<<grid, block, 0, stream>>>(measured_winds, pressures, air_temperatures, mixing_ratios,
                                              height, roughness, total_wind_power, n);
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
    Array<float> measured_winds(n), pressures(n), air_temperatures(n), mixing_ratios(n), total_wind_power(1);
    const float height = 32.63163f, roughness = 0.40652162f;
    fill_uniform(measured_winds, 0x2370168f, 0.0, 24.0);
    fill_uniform(pressures, 0x9c9df0a2, 850.0, 1040.0);
    fill_uniform(air_temperatures, 0x8a2e10de, -15.0, 40.0);
    fill_uniform(mixing_ratios, 0x86a00a5c, 0.001, 0.03);
    CUDA_CHECK(launch_turbine_power(measured_winds.device, pressures.device, air_temperatures.device,
                                    mixing_ratios.device, height, roughness, total_wind_power.device, n));
    total_wind_power.download();
    std::printf("total_wind_power: %.9g\n", total_wind_power.host[0]);
    return 0;
}
