#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// horn_slope: Compute the slope of each cell by Horn's method.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Set the elevation of each cell to a crater in the middle.
__global__ void set_elevation(double* __restrict__ elevations, double rim, double rim_radius, int ny,
                              int nx) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const double place_y = (double(j) + 0.5) / double(ny) - 0.5;
    const double place_x = (double(i) + 0.5) / double(nx) - 0.5;
    const double ring = 2.0 * (sqrt(place_x * place_x + place_y * place_y) / rim_radius - 1.0);
    const double elevation = rim * exp(-ring * ring);
    elevations[j * nx + i] = elevation;
}

cudaError_t launch_set_elevation(double* elevations, double rim, double rim_radius, int ny, int nx,
                                 cudaStream_t stream) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    set_elevation<<<grid, block, 0, stream>>>(elevations, rim, rim_radius, ny, nx);
    return cudaGetLastError();
}

// Compute the slope of each cell by Horn's method. Neighbors outside the grid are clamped to its border.
__global__ void cell_slope(const double* __restrict__ elevations, double2* __restrict__ slopes,
                           double cell_size, int ny, int nx) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const int row_before = max(j - 1, 0) * nx;
    const double south = elevations[row_before + i];
    const int row_after = min(j + 1, ny - 1) * nx;
    const double north = elevations[row_after + i];
    const int row_start = j * nx;
    const double west = elevations[row_start + max(i - 1, 0)];
    const double east = elevations[row_start + min(i + 1, nx - 1)];
    const double south_west = elevations[row_before + max(i - 1, 0)];
    const double south_east = elevations[row_before + min(i + 1, nx - 1)];
    const double north_west = elevations[row_after + max(i - 1, 0)];
    const double north_east = elevations[row_after + min(i + 1, nx - 1)];
    const double2 slope = make_double2(
        (south_east + 2.0 * east + north_east - (south_west + 2.0 * west + north_west)) / (8.0 * cell_size),
        (north_west + 2.0 * north + north_east - (south_west + 2.0 * south + south_east)) /
            (8.0 * cell_size));
    slopes[row_start + i] = slope;
}

cudaError_t launch_cell_slope(const double* elevations, double2* slopes, double cell_size, int ny, int nx,
                              cudaStream_t stream) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    cell_slope<<<grid, block, 0, stream>>>(elevations, slopes, cell_size, ny, nx);
    return cudaGetLastError();
}

cudaError_t launch_horn_slope(double* elevations, double2* slopes, double rim, double rim_radius, int ny,
                              int nx, double cell_size, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = launch_set_elevation(elevations, rim, rim_radius, ny, nx, stream))
        return status;
    if (const cudaError_t status = launch_cell_slope(elevations, slopes, cell_size, ny, nx, stream))
        return status;
    return cudaSuccess;
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
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, Array<T, double>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int ny = 17, nx = 61;
    Array<double> elevations(ny * nx);
    Array<double2, double> slopes(ny * nx);
    const double rim = 2.161516183061288, rim_radius = 0.23549957179584796, cell_size = 3.0174617121385103;
    CUDA_CHECK(launch_horn_slope(elevations.device, slopes.device, rim, rim_radius, ny, nx, cell_size));
    print_output("elevations", elevations);
    print_output("slopes", slopes);
    return 0;
}
