#include <cuda_runtime.h>
#include <algorithm>
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

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// Computes the steepness of each cell as the length of the slope. The slope is computed by central
// differences. Also stores the normal from the exaggerated slope. Beyond the border the nearest element
// counts.
__global__ void steepness_of_slope(const float* __restrict__ elevations, float* __restrict__ steepness_values,
                                   float3* __restrict__ normals, float cell_size, int ny, int nx,
                                   float exaggeration) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx) return;

    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < ny; j += gridDim.y * blockDim.y) {
        const float south = elevations[max(j - 1, 0) * nx + i];
        const float north = elevations[min(j + 1, ny - 1) * nx + i];
        const int row_start = j * nx;
        const float west = elevations[row_start + max(i - 1, 0)];
        const float east = elevations[row_start + min(i + 1, nx - 1)];
        const float2 slope =
            make_float2((east - west) / (2.0f * cell_size), (north - south) / (2.0f * cell_size));
        const float steepness = length(slope);
        const int index = row_start + i;
        steepness_values[index] = steepness;
        const float3 normal = normalize(make_float3(-exaggeration * slope.x, -exaggeration * slope.y, 1.0f));
        normals[index] = normal;
    }
}

cudaError_t launch_steepness_of_slope(const float* elevations, float* steepness_values, float3* normals,
                                      float cell_size, int ny, int nx, float exaggeration,
                                      cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, std::min<unsigned>((ny + block.y - 1) / block.y, 65535));
    steepness_of_slope<<<grid, block, 0, stream>>>(elevations, steepness_values, normals, cell_size, ny, nx,
                                                   exaggeration);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int ny = 17, nx = 61;
    Array<float> elevations(ny * nx), steepness_values(ny * nx);
    Array<float3, float> normals(ny * nx);
    const float cell_size = 2.7099912f, exaggeration = 1.256548f;
    fill_uniform(elevations, 0x2370168f, 0.0, 10.0);
    CUDA_CHECK(launch_steepness_of_slope(elevations.device, steepness_values.device, normals.device,
                                         cell_size, ny, nx, exaggeration));
    print_output("steepness_values", steepness_values);
    print_output("normals", normals);
    return 0;
}
