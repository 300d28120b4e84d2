#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// cell_velocity: Advance the velocity of each cell by the Burgers fluxes through both faces, 4 times.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the Burgers flux of each cell by Engquist and Osher's splitting. Beyond the border the nearest
// element counts.
__global__ void engquist_osher_burgers_flux_kernel(const float* __restrict__ velocities,
                                                   float* __restrict__ burgers_fluxes, int count) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= count) return;

    const float velocity = velocities[cell];
    const float right = velocities[min(cell + 1, count - 1)];
    const float rising = fmaxf(velocity, 0.0f);
    const float falling = fminf(right, 0.0f);
    const float burgers_flux = 0.5f * (rising * rising + falling * falling);
    burgers_fluxes[cell] = burgers_flux;
}

cudaError_t launch_engquist_osher_burgers_flux_kernel(const float* velocities, float* burgers_fluxes,
                                                      int count, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    engquist_osher_burgers_flux_kernel<<<grid, block, 0, stream>>>(velocities, burgers_fluxes, count);
    return cudaGetLastError();
}

// Advance the velocity of each cell by the Burgers fluxes through both faces. Beyond the border the nearest
// element counts.
__global__ void burgers_velocity_kernel(const float* __restrict__ velocities,
                                        const float* __restrict__ burgers_fluxes, float dt, float dx,
                                        float* __restrict__ next_velocities, int n) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= n) return;

    const float velocity = velocities[cell];
    const float left = burgers_fluxes[max(cell - 1, 0)];
    const float new_velocity = velocity - dt / dx * (burgers_fluxes[cell] - left);
    next_velocities[cell] = new_velocity;
}

cudaError_t launch_burgers_velocity_kernel(const float* velocities, const float* burgers_fluxes, float dt,
                                           float dx, float* next_velocities, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    burgers_velocity_kernel<<<grid, block, 0, stream>>>(velocities, burgers_fluxes, dt, dx, next_velocities,
                                                        n);
    return cudaGetLastError();
}

cudaError_t launch_cell_velocity(int count, float dt, float dx, float* velocities, float* burgers_fluxes,
                                 float* next_velocities, cudaStream_t stream = nullptr) {
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status =
                launch_engquist_osher_burgers_flux_kernel(velocities, burgers_fluxes, count, stream))
            return status;
        if (const cudaError_t status = launch_burgers_velocity_kernel(velocities, burgers_fluxes, dt, dx,
                                                                      next_velocities, count, stream))
            return status;
        if (const cudaError_t status =
                launch_engquist_osher_burgers_flux_kernel(next_velocities, burgers_fluxes, count, stream))
            return status;
        if (const cudaError_t status = launch_burgers_velocity_kernel(next_velocities, burgers_fluxes, dt, dx,
                                                                      velocities, count, stream))
            return status;
    }
    return cudaSuccess;
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
    Array<float> velocities(n), burgers_fluxes(n), next_velocities(n);
    const float dt = 0.0058701173f, dx = 0.11615159f;
    fill_uniform(velocities, 0x86a00a5c, -1.0, 1.0);
    CUDA_CHECK(
        launch_cell_velocity(n, dt, dx, velocities.device, burgers_fluxes.device, next_velocities.device));
    print_output("velocities", velocities);
    print_output("burgers_fluxes", burgers_fluxes);
    print_output("next_velocities", next_velocities);
    return 0;
}
