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

constexpr float ICE_PRESSURE = 6.1078f;
constexpr float ICE_SLOPE = 21.8746f;
constexpr float ICE_OFFSET = 265.5f;
constexpr float TETENS_PRESSURE = 6.1078f;
constexpr float TETENS_SLOPE = 17.2694f;
constexpr float TETENS_OFFSET = 237.29f;

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

// Sum of the Dalton evaporation over all stations.
__global__ void compute_dalton_evaporation(const float* __restrict__ air_temperatures,
                                           const float* __restrict__ humidities,
                                           const float* __restrict__ wind_speeds, float* total_evaporation,
                                           int n) {
    float thread_total = 0.0f;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(n); i += gridDim.x * blockDim.x) {
        const float air_temperature = air_temperatures[i];
        float saturation_pressure;
        if (air_temperature < 0.0f) {
            saturation_pressure =
                ICE_PRESSURE * expf(ICE_SLOPE * air_temperature / (air_temperature + ICE_OFFSET));
        } else {
            saturation_pressure =
                TETENS_PRESSURE * expf(TETENS_SLOPE * air_temperature / (air_temperature + TETENS_OFFSET));
        }
        const float vapor_pressure = 0.01f * humidities[i] * saturation_pressure;
        const float deficit = fmaxf(saturation_pressure - vapor_pressure, 0.0f);
        const float evaporation = (0.13f + 0.14f * wind_speeds[i]) * deficit;
        thread_total += evaporation;
    }

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(total_evaporation, block_total);
}

cudaError_t launch_compute_dalton_evaporation(const float* air_temperatures, const float* humidities,
                                              const float* wind_speeds, float* total_evaporation, int n,
                                              cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    compute_dalton_evaporation<<<grid, block, 0, stream>>>(air_temperatures, humidities, wind_speeds,
                                                           total_evaporation, n);
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
    Array<float> air_temperatures(n), humidities(n), wind_speeds(n), total_evaporation(1);
    fill_uniform(air_temperatures, 0x2370168f, -15.0, 40.0);
    fill_uniform(humidities, 0x9c9df0a2, 15.0, 98.0);
    fill_uniform(wind_speeds, 0x8a2e10de, 0.0, 25.0);
    CUDA_CHECK(launch_compute_dalton_evaporation(air_temperatures.device, humidities.device,
                                                 wind_speeds.device, total_evaporation.device, n));
    total_evaporation.download();
    std::printf("total_evaporation: %.9g\n", total_evaporation.host[0]);
    return 0;
}
