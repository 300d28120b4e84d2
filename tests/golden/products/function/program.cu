#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Return the saturation vapor pressure over water in hPa by the Magnus formula.
__device__ float saturation_pressure(float celsius) {
    return 6.1094f * expf(17.625f * celsius / (celsius + 243.04f));
}

// Return the mass of water vapor per mass of dry air. 0.622 is the ratio of their molar masses.
__device__ float mixing_ratio(float vapor_pressure, float pressure) {
    return 0.622f * vapor_pressure / (pressure - vapor_pressure);
}

// Compute the density of humid air in kg / m^3 from temperature in degrees Celsius, relative humidity in
// [0, 1] and pressure in hPa, by way of the virtual temperature.
__global__ void moist_air_density(const float* __restrict__ air_temperatures,
                                  const float* __restrict__ humidities, float pressure,
                                  float* __restrict__ densities, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float air_temperature = air_temperatures[i];
    const float w = mixing_ratio(humidities[i] * saturation_pressure(air_temperature), pressure);
    const float kelvin = air_temperature + 273.15f;
    const float virtual_temperature = kelvin * (1.0f + w / 0.622f) / (1.0f + w);
    densities[i] = 100.0f * pressure / (287.05f * virtual_temperature);
}

cudaError_t launch_moist_air_density(const float* air_temperatures, const float* humidities, float pressure,
                                     float* densities, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    moist_air_density<<<grid, block, 0, stream>>>(air_temperatures, humidities, pressure, densities, n);
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
    const int n = 1000;
    Array<float> air_temperatures(n), humidities(n), densities(n);
    const float pressure = 904.84546f;
    fill_uniform(air_temperatures, 0x2370168f, -10.0, 40.0);
    fill_uniform(humidities, 0x9c9df0a2, 0.1, 0.9);
    CUDA_CHECK(
        launch_moist_air_density(air_temperatures.device, humidities.device, pressure, densities.device, n));
    densities.download();
    double sum = 0.0;
    for (size_t i = 0; i < densities.count; ++i) sum += densities.host[i];
    std::printf("densities: first %g, last %g, sum %.9g\n", densities.host[0],
                densities.host[densities.count - 1], sum);
    return 0;
}
