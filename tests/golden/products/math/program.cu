#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float BUCK_PRESSURE = 6.1121f;
constexpr float BUCK_SLOPE = 18.678f;
constexpr float BUCK_CURVE = 234.5f;
constexpr float BUCK_OFFSET = 257.14f;
constexpr float METERS_PER_KELVIN = 29.27f;
constexpr float ZERO_CELSIUS = 273.15f;
constexpr float SEA_LEVEL_PRESSURE = 1013.0f;
constexpr float VAPOR_MASS_RATIO = 0.622f;
constexpr float VIRTUAL_SHARE = 0.61f;
constexpr float DRY_AIR_CONSTANT = 2.8705f;
constexpr float RATED_SPEED = 12.0f;

// Wind speed at another height by a logarithmic profile.
__device__ float logarithmic_wind_speed(float measured_wind, float height, float roughness) {
    return measured_wind * logf(height / roughness) / logf(10.0f / roughness);
}

// Saturation vapour pressure by the formula of Buck.
__device__ float buck_pressure(float air_temperature) {
    return BUCK_PRESSURE * expf((BUCK_SLOPE - air_temperature / BUCK_CURVE) *
                                (air_temperature / (BUCK_OFFSET + air_temperature)));
}

// Compute the wind power of each station by the curve of a turbine. Take the wind speed at another height by
// a logarithmic profile, the pressure by the barometric formula, and the air density by the gas law of moist
// air.
__global__ void compute_wind_power(const float* __restrict__ measured_winds,
                                   const float* __restrict__ altitudes,
                                   const float* __restrict__ air_temperatures,
                                   const float* __restrict__ humidities, float height, float roughness,
                                   float* __restrict__ wind_powers, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float measured_wind = measured_winds[i];
    const float wind_speed = logarithmic_wind_speed(measured_wind, height, roughness);
    const float altitude = altitudes[i];
    const float air_temperature = air_temperatures[i];
    const float scale_height = METERS_PER_KELVIN * (air_temperature + ZERO_CELSIUS);
    const float pressure = SEA_LEVEL_PRESSURE * expf(-altitude / scale_height);
    const float humidity = humidities[i];
    const float saturation_pressure = buck_pressure(air_temperature);
    const float vapor_pressure = 0.01f * humidity * saturation_pressure;
    const float mixing_ratio = VAPOR_MASS_RATIO * vapor_pressure / (pressure - vapor_pressure);
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
    wind_powers[i] = wind_power;
}

cudaError_t launch_compute_wind_power(const float* measured_winds, const float* altitudes,
                                      const float* air_temperatures, const float* humidities, float height,
                                      float roughness, float* wind_powers, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_wind_power<<<grid, block, 0, stream>>>(measured_winds, altitudes, air_temperatures, humidities,
                                                   height, roughness, wind_powers, n);
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
    Array<float> measured_winds(n), altitudes(n), air_temperatures(n), humidities(n), wind_powers(n);
    const float height = 32.63163f, roughness = 0.40652162f;
    fill_uniform(measured_winds, 0x2370168f, 0.0, 24.0);
    fill_uniform(altitudes, 0x9c9df0a2, 0.0, 2500.0);
    fill_uniform(air_temperatures, 0x8a2e10de, -15.0, 40.0);
    fill_uniform(humidities, 0x86a00a5c, 15.0, 98.0);
    CUDA_CHECK(launch_compute_wind_power(measured_winds.device, altitudes.device, air_temperatures.device,
                                         humidities.device, height, roughness, wind_powers.device, n));
    wind_powers.download();
    double sum = 0.0;
    for (size_t i = 0; i < wind_powers.count; ++i) sum += wind_powers.host[i];
    std::printf("wind_powers: first %g, last %g, sum %.9g\n", wind_powers.host[0],
                wind_powers.host[wind_powers.count - 1], sum);
    return 0;
}
