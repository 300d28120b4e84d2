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

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// Potential energy under uniform gravity.
__device__ float weight_potential(float mass, float2 position, float gravity) {
    return mass * gravity * position.y;
}

// Scatter the potential energy of each particle on a grid by quadratic spline weights. The potential energy
// is computed under uniform gravity.
__global__ void deposit_potential_energy(const float* __restrict__ masses,
                                         const float2* __restrict__ positions, float* grid_potential_energies,
                                         float gravity, float2 origin, float cells_per_unit, int width,
                                         int height, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;

    const float mass = masses[p];
    const float2 position = positions[p];
    const float potential_energy = weight_potential(mass, position, gravity);
    const float2 local = (position - origin) * cells_per_unit;
    const int width_start = min(max(0, int(floorf(local.x - 0.5f))), width - 3);
    const int height_start = min(max(0, int(floorf(local.y - 0.5f))), height - 3);
    for (int dy = 0; dy < 3; ++dy) {
        const int y = height_start + dy;
        const float away = fabsf(local.y - float(y));
        const float far = 1.5f - fminf(away, 1.5f);
        const float weight_y =
            fminf(away, 1.5f) < 0.5f ? 0.75f - fminf(away, 1.5f) * fminf(away, 1.5f) : 0.5f * far * far;
        for (int dx = 0; dx < 3; ++dx) {
            const int x = width_start + dx;
            const float other_away = fabsf(local.x - float(x));
            const float other_far = 1.5f - fminf(other_away, 1.5f);
            const float weight_x = weight_y * (fminf(other_away, 1.5f) < 0.5f
                                                   ? 0.75f - fminf(other_away, 1.5f) * fminf(other_away, 1.5f)
                                                   : 0.5f * other_far * other_far);
            atomicAdd(&grid_potential_energies[wrap_index(y, height) * width + wrap_index(x, width)],
                      weight_x * potential_energy);
        }
    }
}

cudaError_t launch_deposit_potential_energy(const float* masses, const float2* positions,
                                            float* grid_potential_energies, float gravity, float2 origin,
                                            float cells_per_unit, int width, int height, int n,
                                            cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    deposit_potential_energy<<<grid, block, 0, stream>>>(masses, positions, grid_potential_energies, gravity,
                                                         origin, cells_per_unit, width, height, n);
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
    const int n = 1000, width = 24, height = 12;
    Array<float> masses(n), grid_potential_energies(height * width);
    Array<float2, float> positions(n);
    const float gravity = 7.137489f, cells_per_unit = 7.236911f;
    const float2 origin = make_float2(-1.1374865f, -1.1265876f);
    fill_uniform(masses, 0x2370168f, 0.2, 0.5);
    fill_uniform(positions, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_deposit_potential_energy(masses.device, positions.device,
                                               grid_potential_energies.device, gravity, origin,
                                               cells_per_unit, width, height, n));
    grid_potential_energies.download();
    double sum = 0.0;
    for (size_t i = 0; i < grid_potential_energies.count; ++i) sum += grid_potential_energies.host[i];
    std::printf("grid_potential_energies: first %g, last %g, sum %.9g\n", grid_potential_energies.host[0],
                grid_potential_energies.host[grid_potential_energies.count - 1], sum);
    return 0;
}
