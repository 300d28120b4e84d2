#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// cell_thermal_energy: Compute the thermal energy of each cell after the step.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float WIDTH = 0.45f;
constexpr float DX = 0.35f;
constexpr float HEAT_CAPACITY = 1.9f;

// Heat source by Arrhenius' law of combustion.
__device__ float arrhenius_source(float temperature, float prefactor, float activation_energy) {
    return prefactor * expf(-activation_energy / fmaxf(temperature, 0.05f));
}

// Set the temperature of each cell to a Gaussian bump in the middle.
__global__ void set_temperature(float* __restrict__ temperatures, float peak, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const float place_y = (float(i) + 0.5f) / float(rows) - 0.5f;
    const float place_x = (float(j) + 0.5f) / float(cols) - 0.5f;
    const float away = (place_y * place_y + place_x * place_x) / (2.0f * WIDTH * WIDTH);
    const float temperature = peak * expf(-away);
    temperatures[i * cols + j] = temperature;
}

cudaError_t launch_set_temperature(float* temperatures, float peak, int rows, int cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    set_temperature<<<grid, block, 0, stream>>>(temperatures, peak, rows, cols);
    return cudaGetLastError();
}

// Compute the thermal energy of each cell after the step. Take the heat source by Arrhenius' law of
// combustion and relax the temperature towards the steady state by one Jacobi iteration. Neighbors outside
// the grid are clamped to its border.
__global__ void compute_stored_heat(const float* __restrict__ temperatures, float prefactor,
                                    float activation_energy, float conductance, int rows, int cols,
                                    float* __restrict__ thermal_energies) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const int row_start = i * cols;
    const int index = row_start + j;
    const float temperature = temperatures[index];
    const float heat_source = arrhenius_source(temperature, prefactor, activation_energy);
    const float up = temperatures[max(i - 1, 0) * cols + j];
    const float down = temperatures[min(i + 1, rows - 1) * cols + j];
    const float left = temperatures[row_start + max(j - 1, 0)];
    const float right = temperatures[row_start + min(j + 1, cols - 1)];
    const float new_temperature = (up + down + left + right + DX * DX * heat_source / conductance) / 4.0f;
    thermal_energies[index] = HEAT_CAPACITY * new_temperature;
}

cudaError_t launch_compute_stored_heat(const float* temperatures, float prefactor, float activation_energy,
                                       float conductance, int rows, int cols, float* thermal_energies,
                                       cudaStream_t stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    compute_stored_heat<<<grid, block, 0, stream>>>(temperatures, prefactor, activation_energy, conductance,
                                                    rows, cols, thermal_energies);
    return cudaGetLastError();
}

cudaError_t launch_cell_thermal_energy(float* temperatures, float* thermal_energies, float peak, int rows,
                                       int cols, float prefactor, float activation_energy, float conductance,
                                       cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_set_temperature(temperatures, peak, rows, cols, stream))
        return status;
    if (const cudaError_t status = launch_compute_stored_heat(
            temperatures, prefactor, activation_energy, conductance, rows, cols, thermal_energies, stream))
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
    const int rows = 16, cols = 64;
    Array<float> temperatures(rows * cols), thermal_energies(rows * cols);
    const float peak = 0.1323032f, prefactor = 1.7138417f, activation_energy = 1.256548f,
                conductance = 1.2618648f;
    CUDA_CHECK(launch_cell_thermal_energy(temperatures.device, thermal_energies.device, peak, rows, cols,
                                          prefactor, activation_energy, conductance));
    print_output("temperatures", temperatures);
    print_output("thermal_energies", thermal_energies);
    return 0;
}
