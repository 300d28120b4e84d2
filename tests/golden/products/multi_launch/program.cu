#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// relax_temperature: Relax the temperature of each cell towards the steady state by one Jacobi iteration.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float DECAY = 7.0f;

// Sets the temperature of each cell to a decay away from a hot wall.
__global__ void heated_wall_temperature_kernel(float* __restrict__ temperatures, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float place_x = (float(i) + 0.5f) / float(count) - 0.5f;
    const float temperature = expf(-DECAY * (place_x + 0.5f));
    temperatures[i] = temperature;
}

cudaError_t launch_heated_wall_temperature_kernel(float* temperatures, int count, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    heated_wall_temperature_kernel<<<grid, block, 0, stream>>>(temperatures, count);
    return cudaGetLastError();
}

// Relax the temperature of each cell towards the steady state by one Jacobi iteration. The heat source is
// computed by Arrhenius' law of combustion. Elements beyond the border count as zero.
__global__ void relax_jacobi_temperature(const float* __restrict__ temperatures, float activation_energy,
                                         float dx, int count, float* __restrict__ new_temperatures) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float right = i + 1 < count ? temperatures[i + 1] : 0.0f;
    const float left = i >= 1 ? temperatures[i - 1] : 0.0f;
    const float temperature = temperatures[i];
    const float heat_source = 1.9f * expf(-activation_energy / fmaxf(temperature, 0.05f));
    const float new_temperature = (left + right + dx * dx * heat_source / 1.3f) / 2.0f;
    new_temperatures[i] = new_temperature;
}

cudaError_t launch_relax_jacobi_temperature(const float* temperatures, float activation_energy, float dx,
                                            int count, float* new_temperatures, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    relax_jacobi_temperature<<<grid, block, 0, stream>>>(temperatures, activation_energy, dx, count,
                                                         new_temperatures);
    return cudaGetLastError();
}

cudaError_t launch_relax_temperature(int count, float activation_energy, float dx, float* temperatures,
                                     float* new_temperatures, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_heated_wall_temperature_kernel(temperatures, count, stream))
        return status;
    if (const cudaError_t status = launch_relax_jacobi_temperature(temperatures, activation_energy, dx, count,
                                                                   new_temperatures, stream))
        return status;
    return cudaSuccess;
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
    Array<float> temperatures(n), new_temperatures(n);
    const float activation_energy = 0.884483f, dx = 0.11615159f;
    CUDA_CHECK(
        launch_relax_temperature(n, activation_energy, dx, temperatures.device, new_temperatures.device));
    print_output("temperatures", temperatures);
    print_output("new_temperatures", new_temperatures);
    return 0;
}
