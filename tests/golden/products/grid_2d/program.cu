#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Parameters of all cells.
struct CellParams {
    float resistance;
    float conductance;
};

constexpr float DX = 0.19f;

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }

// Jacobi iteration of the steady heat equation from the Joule heating. Periodic boundaries.
__global__ void jacobi_temperature(const float* __restrict__ temperatures,
                                   const float2* __restrict__ currents, CellParams options, int height,
                                   int width, float* __restrict__ new_temperatures) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const int row_start = y * width;
    const int index = row_start + x;
    const float2 current = currents[index];
    const float heat_source = options.resistance * dot(current, current);
    const int y_prev = y == 0 ? height - 1 : y - 1;
    const float up = temperatures[y_prev * width + x];
    const int y_next = y + 1 == height ? 0 : y + 1;
    const float down = temperatures[y_next * width + x];
    const int x_prev = x == 0 ? width - 1 : x - 1;
    const float left = temperatures[row_start + x_prev];
    const int x_next = x + 1 == width ? 0 : x + 1;
    const float right = temperatures[row_start + x_next];
    new_temperatures[index] = (up + down + left + right + DX * DX * heat_source / options.conductance) / 4.0f;
}

cudaError_t launch_jacobi_temperature(const float* temperatures, const float2* currents, CellParams options,
                                      int height, int width, float* new_temperatures,
                                      cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    jacobi_temperature<<<grid, block, 0, stream>>>(temperatures, currents, options, height, width,
                                                   new_temperatures);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int height = 36, width = 40;
    Array<float> temperatures(height * width), new_temperatures(height * width);
    Array<float2, float> currents(height * width);
    CellParams options{};
    options.resistance = 0.56056845f;
    options.conductance = 0.60012776f;
    fill_uniform(temperatures, 0x2370168f, 0.0, 1.0);
    fill_uniform(currents, 0x9c9df0a2, -0.5, 0.5);
    CUDA_CHECK(launch_jacobi_temperature(temperatures.device, currents.device, options, height, width,
                                         new_temperatures.device));
    new_temperatures.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_temperatures.count; ++i) sum += new_temperatures.host[i];
    std::printf("new_temperatures: first %g, last %g, sum %.9g\n", new_temperatures.host[0],
                new_temperatures.host[new_temperatures.count - 1], sum);
    return 0;
}
