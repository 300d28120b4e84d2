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

constexpr double TALUS = 0.9;

// Thermal erosion. Indices are clamped at the border.
__global__ void eval_thermal_erosion(const double* __restrict__ elevations, double rate, int ny, int nx,
                                     double* __restrict__ new_elevations) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const int index = j * nx + i;
    const double elevation = elevations[index];
    double shifted = 0.0;
    for (int a = -1; a <= 1; ++a) {
        const int row_start = min(max(j + a, 0), ny - 1) * nx;
        for (int b = -1; b <= 1; ++b) {
            const double rise = elevations[row_start + min(max(i + b, 0), nx - 1)] - elevation;
            if (rise > TALUS) {
                shifted += rise - TALUS;
            } else if (rise < -TALUS) {
                shifted += rise + TALUS;
            }
        }
    }
    new_elevations[index] = elevation + rate * shifted;
}

cudaError_t launch_eval_thermal_erosion(const double* elevations, double rate, int ny, int nx,
                                        double* new_elevations, cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    eval_thermal_erosion<<<grid, block, 0, stream>>>(elevations, rate, ny, nx, new_elevations);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int ny = 34, nx = 32;
    Array<double> elevations(ny * nx), new_elevations(ny * nx);
    const double rate = 0.03025288061075341;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    CUDA_CHECK(launch_eval_thermal_erosion(elevations.device, rate, ny, nx, new_elevations.device));
    new_elevations.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_elevations.count; ++i) sum += new_elevations.host[i];
    std::printf("new_elevations: first %g, last %g, sum %.9g\n", new_elevations.host[0],
                new_elevations.host[new_elevations.count - 1], sum);
    return 0;
}
