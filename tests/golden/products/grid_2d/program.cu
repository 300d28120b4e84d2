#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// cell_pressure: Cell pressure: compute_velocity, then damped_jacobi_pressure_kernel.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline double2 operator/(double2 a, double s) { return make_double2(a.x / s, a.y / s); }

// From a at t = 0 to b at t = 1.
__device__ inline double lerp(double a, double b, double t) { return a * (1.0 - t) + b * t; }

// Computes the velocity of each cell from momentum and depth.
__global__ void compute_velocity(const double2* __restrict__ momenta, const double* __restrict__ depths,
                                 double2* __restrict__ velocities, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const double2 momentum = momenta[index];
    const double depth = depths[index];
    const double2 velocity = momentum / fmax(depth, 0.06);
    velocities[index] = velocity;
}

cudaError_t launch_compute_velocity(const double2* momenta, const double* depths, double2* velocities,
                                    int count, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    compute_velocity<<<grid, block, 0, stream>>>(momenta, depths, velocities, count);
    return cudaGetLastError();
}

// Relax the pressure of each cell by one damped Jacobi iteration. The flow divergence is computed by central
// differences. Beyond the border the nearest element counts.
__global__ void damped_jacobi_pressure_kernel(const double* __restrict__ old_pressures,
                                              const double2* __restrict__ velocities, double dx, int height,
                                              int width, double* __restrict__ pressures) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const int row_start = y * width;
    const int index = row_start + x;
    const double old_pressure = old_pressures[index];
    const int row_before = max(y - 1, 0) * width;
    const double2 up = velocities[row_before + x];
    const int row_after = min(y + 1, height - 1) * width;
    const double2 down = velocities[row_after + x];
    const double2 left = velocities[row_start + max(x - 1, 0)];
    const double2 right = velocities[row_start + min(x + 1, width - 1)];
    const double divergence = (down.y - up.y) / (2.0 * dx) + (right.x - left.x) / (2.0 * dx);
    const double up_old_pressure = old_pressures[row_before + x];
    const double down_old_pressure = old_pressures[row_after + x];
    const double left_old_pressure = old_pressures[row_start + max(x - 1, 0)];
    const double right_old_pressure = old_pressures[row_start + min(x + 1, width - 1)];
    const double jacobi_value = (up_old_pressure + down_old_pressure + left_old_pressure +
                                 right_old_pressure - dx * dx * divergence) /
                                4.0;
    const double pressure = lerp(old_pressure, jacobi_value, 0.5);
    pressures[index] = pressure;
}

cudaError_t launch_damped_jacobi_pressure_kernel(const double* old_pressures, const double2* velocities,
                                                 double dx, int height, int width, double* pressures,
                                                 cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    damped_jacobi_pressure_kernel<<<grid, block, 0, stream>>>(old_pressures, velocities, dx, height, width,
                                                              pressures);
    return cudaGetLastError();
}

cudaError_t launch_cell_pressure(const double2* momenta, const double* depths, const double* old_pressures,
                                 double dx, int height, int width, double2* velocities, double* pressures,
                                 cudaStream_t stream = nullptr) {
    if (const cudaError_t status =
            launch_compute_velocity(momenta, depths, velocities, height * width, stream))
        return status;
    if (const cudaError_t status = launch_damped_jacobi_pressure_kernel(old_pressures, velocities, dx, height,
                                                                        width, pressures, stream))
        return status;
    return cudaSuccess;
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

// Of 53 random bits.
template <typename T>
void fill_uniform(Array<T, double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T, double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int height = 48, width = 21;
    Array<double2, double> momenta(height * width), velocities(height * width);
    Array<double> depths(height * width), old_pressures(height * width), pressures(height * width);
    const double dx = 0.27099914359169597;
    fill_uniform(momenta, 0x2370168f, -1.0, 1.0);
    fill_uniform(depths, 0x9c9df0a2, 0.5, 2.0);
    fill_uniform(old_pressures, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_cell_pressure(momenta.device, depths.device, old_pressures.device, dx, height, width,
                                    velocities.device, pressures.device));
    print_output("velocities", velocities);
    print_output("pressures", pressures);
    return 0;
}
