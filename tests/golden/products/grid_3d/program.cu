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

// Settings for projection.
struct ProjectionParams {
    float inverse_spacing;
};

// Velocity on the lower face across axis 1 less the pressure's difference. Elements outside the mask are
// skipped. Beyond the border the nearest element counts. The squared difference between the new face and the
// expectation is taken. The result is multiplied by its importance. Only component 3 of importances is read.
__global__ void projection(const int* __restrict__ mask, const float* __restrict__ potential,
                           const float* __restrict__ face_velocities, const float* __restrict__ densities,
                           const float* __restrict__ expectations, const float4* __restrict__ importances,
                           float* __restrict__ new_faces, ProjectionParams settings, int depth, int height,
                           int width) {
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    const int y = blockIdx.x * blockDim.y + threadIdx.y;
    const int x = blockIdx.y * blockDim.x + threadIdx.x;
    if (z >= depth || y >= height || x >= width) return;
    const int index = (z * height + y) * width + x;
    if (mask[index] == 0) return;

    const float here = potential[index];
    const float face_velocity = face_velocities[index];
    const float density = densities[index];
    const float expectation = expectations[index];
    const float new_face = face_velocity - settings.inverse_spacing *
                                               (here - potential[(z * height + max(y - 1, 0)) * width + x]) /
                                               density;
    const float residual = expectation - new_face;
    const float importance = importances[index].w;
    new_faces[index] = importance * (residual * residual);
}

cudaError_t launch_projection(const int* mask, const float* potential, const float* face_velocities,
                              const float* densities, const float* expectations, const float4* importances,
                              float* new_faces, ProjectionParams settings, int depth, int height, int width,
                              cudaStream_t stream = nullptr) {
    if (depth == 0 || height == 0 || width == 0) return cudaSuccess;
    if (int64_t(depth) * height > INT_MAX / width) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 4, 2);
    const dim3 grid((height + block.y - 1) / block.y, (width + block.x - 1) / block.x,
                    (depth + block.z - 1) / block.z);
    projection<<<grid, block, 0, stream>>>(mask, potential, face_velocities, densities, expectations,
                                           importances, new_faces, settings, depth, height, width);
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
    const int depth = 3, height = 67, width = 5;
    Array<int> mask(depth * height * width);
    Array<float> potential(depth * height * width), face_velocities(depth * height * width),
        densities(depth * height * width), expectations(depth * height * width),
        new_faces(depth * height * width);
    Array<float4, float> importances(depth * height * width);
    ProjectionParams settings{};
    settings.inverse_spacing = 1.2618648f;
    for (size_t i = 0; i < mask.count; ++i) mask.host[i] = pcg(0x2370168f + i) % 2;
    mask.upload();
    fill_uniform(potential, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(face_velocities, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(densities, 0x86a00a5c, 0.5, 2.0);
    fill_uniform(expectations, 0x14cd5bc2, -1.0, 1.0);
    fill_uniform(importances, 0xa44fd9fd, 0.1, 2.0);
    CUDA_CHECK(launch_projection(mask.device, potential.device, face_velocities.device, densities.device,
                                 expectations.device, importances.device, new_faces.device, settings, depth,
                                 height, width));
    new_faces.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_faces.count; ++i) sum += new_faces.host[i];
    std::printf("new_faces: first %g, last %g, sum %.9g\n", new_faces.host[0],
                new_faces.host[new_faces.count - 1], sum);
    return 0;
}
