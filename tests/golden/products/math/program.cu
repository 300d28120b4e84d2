#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float HUB_HEIGHT = 120.0f;

// Pressure by the barometric formula.
__device__ float barometric_pressure(float altitude, float air_temperature, float sea_level_pressure) {
    const float scale_height = 29.27f * (air_temperature + 273.15f);
    // 0 - x rather than -x: the negative of zero is zero, not negative zero.
    return sea_level_pressure * expf((0.0f - altitude) / scale_height);
}

// Saturation vapour pressure by the formula of Bolton.
__device__ float bolton_pressure(float air_temperature) {
    return 6.112f * expf(17.67f * air_temperature / (air_temperature + 243.5f));
}

// Vapour pressure from the relative humidity.
__device__ float humid_vapor_pressure(float humidity, float saturation_pressure) {
    return 0.01f * humidity * saturation_pressure;
}

// Mixing ratio from vapour pressure and pressure.
__device__ float vapor_mixing_ratio(float vapor_pressure, float pressure) {
    return 0.622f * vapor_pressure / (pressure - vapor_pressure);
}

// Virtual temperature.
__device__ float moist_temperature(float air_temperature, float mixing_ratio) {
    return (air_temperature + 273.15f) * (1.0f + 0.61f * mixing_ratio);
}

// Air density by the gas law of moist air.
__device__ float moist_air_density(float pressure, float virtual_temperature) {
    return pressure / (2.8705f * virtual_temperature);
}

// Compute the wind power of each station by the curve of a turbine. The wind speed is computed at the height
// of a hub by a logarithmic profile and the air density is computed by the gas law of moist air. The felt
// temperature is computed as well, by the heat index on hot days. The heat flux is computed as well, by the
// bulk formula.
__global__ void compute_wind_power(const float* __restrict__ measured_winds,
                                   const float* __restrict__ altitudes,
                                   const float* __restrict__ air_temperatures,
                                   const float* __restrict__ humidities,
                                   const float* __restrict__ surface_temperatures, float sea_level_pressure,
                                   float rated_speed, float* __restrict__ wind_powers,
                                   float* __restrict__ felt_temperatures, float* __restrict__ heat_fluxes,
                                   int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float altitude = altitudes[i];
    const float measured_wind = measured_winds[i];
    const float wind_speed = measured_wind * logf(HUB_HEIGHT / 0.1f) / logf(100.0f);
    const float humidity = humidities[i];
    const float air_temperature = air_temperatures[i];
    const float pressure = barometric_pressure(altitude, air_temperature, sea_level_pressure);
    const float saturation_pressure = bolton_pressure(air_temperature);
    const float vapor_pressure = humid_vapor_pressure(humidity, saturation_pressure);
    const float mixing_ratio = vapor_mixing_ratio(vapor_pressure, pressure);
    const float virtual_temperature = moist_temperature(air_temperature, mixing_ratio);
    const float air_density = moist_air_density(pressure, virtual_temperature);
    float wind_power = 0.5f * air_density * wind_speed * wind_speed * wind_speed;
    if (wind_speed < 3.0f || wind_speed > 24.0f) {
        wind_power = 0.0f;
    } else if (wind_speed > rated_speed) {
        wind_power = 0.5f * air_density * rated_speed * rated_speed * rated_speed;
    }
    wind_powers[i] = wind_power;
    const float felt_temperature =
        air_temperature > 27.0f
            ? -8.785f + 1.6114f * air_temperature + 2.3385f * humidity -
                  0.14612f * air_temperature * humidity - 0.012308f * air_temperature * air_temperature -
                  0.016425f * humidity * humidity +
                  0.0022117f * air_temperature * air_temperature * humidity +
                  0.00072546f * air_temperature * humidity * humidity -
                  3.582e-6f * air_temperature * air_temperature * humidity * humidity
            : air_temperature;
    felt_temperatures[i] = felt_temperature;
    const float surface_temperature = surface_temperatures[i];
    const float heat_flux =
        1005.0f * air_density * 0.0022f * wind_speed * (surface_temperature - air_temperature);
    heat_fluxes[i] = heat_flux;
}

cudaError_t launch_compute_wind_power(const float* measured_winds, const float* altitudes,
                                      const float* air_temperatures, const float* humidities,
                                      const float* surface_temperatures, float sea_level_pressure,
                                      float rated_speed, float* wind_powers, float* felt_temperatures,
                                      float* heat_fluxes, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_wind_power<<<grid, block, 0, stream>>>(measured_winds, altitudes, air_temperatures, humidities,
                                                   surface_temperatures, sea_level_pressure, rated_speed,
                                                   wind_powers, felt_temperatures, heat_fluxes, n);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float> measured_winds(n), altitudes(n), air_temperatures(n), humidities(n), surface_temperatures(n),
        wind_powers(n), felt_temperatures(n), heat_fluxes(n);
    const float sea_level_pressure = 1022.36914f, rated_speed = 12.513096f;
    fill_uniform(measured_winds, 0x2370168f, 0.0, 24.0);
    fill_uniform(altitudes, 0x9c9df0a2, 0.0, 2500.0);
    fill_uniform(air_temperatures, 0x8a2e10de, -15.0, 40.0);
    fill_uniform(humidities, 0x86a00a5c, 15.0, 98.0);
    fill_uniform(surface_temperatures, 0x14cd5bc2, -10.0, 50.0);
    CUDA_CHECK(launch_compute_wind_power(measured_winds.device, altitudes.device, air_temperatures.device,
                                         humidities.device, surface_temperatures.device, sea_level_pressure,
                                         rated_speed, wind_powers.device, felt_temperatures.device,
                                         heat_fluxes.device, n));
    print_output("wind_powers", wind_powers);
    print_output("felt_temperatures", felt_temperatures);
    print_output("heat_fluxes", heat_fluxes);
    return 0;
}
