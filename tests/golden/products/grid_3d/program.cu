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

// State of one cell.
struct Cell {
    float3 electric_field;
    float permittivity;
};

constexpr float LOSS = 0.5f;
constexpr float DT = 0.015f;

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// FDTD update of the electric field in a lossy medium (curl of the magnetic field by backward differences).
// Periodic boundaries.
__global__ void fdtd_update(const float3* __restrict__ magnetic_fields, float dx, int ny, int nz, int nx,
                            Cell* __restrict__ cells) {
    const int i = blockIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || k >= nz) return;

    const int row_start = (i * ny + j) * nz;
    const int index = row_start + k;
    const Cell cell = cells[index];
    const float3 electric_field = cell.electric_field;
    const float3 magnetic_field = magnetic_fields[index];
    const int j_prev = j == 0 ? ny - 1 : j - 1;
    const float3 south = magnetic_fields[(i * ny + j_prev) * nz + k];
    const int k_prev = k == 0 ? nz - 1 : k - 1;
    const float3 bottom = magnetic_fields[row_start + k_prev];
    const int i_prev = i == 0 ? nx - 1 : i - 1;
    const float3 west = magnetic_fields[(i_prev * ny + j) * nz + k];
    const float curl_x = (magnetic_field.z - south.z) / dx - (magnetic_field.y - bottom.y) / dx;
    const float curl_y = (magnetic_field.x - bottom.x) / dx - (magnetic_field.z - west.z) / dx;
    const float curl_z = (magnetic_field.y - west.y) / dx - (magnetic_field.x - south.x) / dx;
    const float3 magnetic_curl = make_float3(curl_x, curl_y, curl_z);
    const float permittivity = cell.permittivity;
    const float damping = 0.5f * LOSS * DT / permittivity;
    const float3 new_electric_field =
        ((1.0f - damping) * electric_field + DT / permittivity * magnetic_curl) / (1.0f + damping);
    cells[index].electric_field = new_electric_field;
}

cudaError_t launch_fdtd_update(const float3* magnetic_fields, float dx, int ny, int nz, int nx, Cell* cells,
                               cudaStream_t stream = nullptr) {
    if (nx == 0 || ny == 0 || nz == 0) return cudaSuccess;
    if (int64_t(nx) * ny > INT_MAX / nz) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, nx);
    fdtd_update<<<grid, block, 0, stream>>>(magnetic_fields, dx, ny, nz, nx, cells);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = random_uniform(seed + i, low, high);
    x.upload();
}

int main() {
    const int nx = 11, ny = 10, nz = 8;
    Array<float3, float> magnetic_fields(nx * ny * nz);
    Array<Cell> cells(nx * ny * nz);
    const float dx = 0.20252879f;
    fill_uniform(magnetic_fields, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < cells.count; ++i) {
        Cell& element = cells.host[i];
        const unsigned counter = 0xa44fd9fd + 4 * i;
        element.electric_field =
            make_float3(random_uniform(counter, -1.0, 1.0), random_uniform(counter + 1, -1.0, 1.0),
                        random_uniform(counter + 2, -1.0, 1.0));
        element.permittivity = random_uniform(counter + 3, 1.0, 4.0);
    }
    cells.upload();
    CUDA_CHECK(launch_fdtd_update(magnetic_fields.device, dx, ny, nz, nx, cells.device));
    cells.download();
    double sum = 0.0;
    for (size_t i = 0; i < cells.count; ++i) {
        sum += cells.host[i].electric_field.x;
        sum += cells.host[i].electric_field.y;
        sum += cells.host[i].electric_field.z;
        sum += cells.host[i].permittivity;
    }
    std::printf("cells: first %g, last %g, sum %.9g\n", cells.host[0].electric_field.x,
                cells.host[cells.count - 1].permittivity, sum);
    return 0;
}
