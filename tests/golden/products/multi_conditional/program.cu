#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float HYDROSTATIC = 0.0341632f;

// Return the pressure in a layer whose temperature changes linearly with height, in Pa.
__device__ float layer_pressure(float height, float base, float base_pressure, float base_temperature,
                                float lapse) {
    const float temperature = base_temperature + lapse * (height - base);
    return base_pressure * powf(base_temperature / temperature, HYDROSTATIC / lapse);
}

// Compute the temperature in K and pressure in Pa of the standard atmosphere at geopotential altitudes up to
// 32 km, in m.
__global__ void atmosphere_temperature(const float* __restrict__ altitudes, float* __restrict__ temperatures,
                                       float* __restrict__ pressures, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float h = altitudes[i];
    float t, p;
    if (h < 11000.0f) {
        t = 288.15f - 0.0065f * h;
        p = layer_pressure(h, 0.0f, 101325.0f, 288.15f, -0.0065f);
    } else if (h < 20000.0f) {
        // the tropopause has one temperature
        t = 216.65f;
        p = 22632.06f * expf(-HYDROSTATIC * (h - 11000.0f) / 216.65f);
    } else {
        t = 216.65f + 0.001f * (h - 20000.0f);
        p = layer_pressure(h, 20000.0f, 5474.889f, 216.65f, 0.001f);
    }
    temperatures[i] = t;
    pressures[i] = p;
}

cudaError_t launch_atmosphere_temperature(const float* altitudes, float* temperatures, float* pressures,
                                          int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    atmosphere_temperature<<<grid, block, 0, stream>>>(altitudes, temperatures, pressures, n);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float> altitudes(n), temperatures(n), pressures(n);
    for (size_t i = 0; i < altitudes.count; ++i) altitudes.host[i] = pcg(0x2370168f + i) % 32000;
    altitudes.upload();
    CUDA_CHECK(launch_atmosphere_temperature(altitudes.device, temperatures.device, pressures.device, n));
    print_output("temperatures", temperatures);
    print_output("pressures", pressures);
    return 0;
}
