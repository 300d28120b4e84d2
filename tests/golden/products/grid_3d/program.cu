#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (z >= depth || x >= width) return;

    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int index = (z * height + y) * width + x;
        if (mask[index] == 0) continue;

        const float here = potential[index];
        const float face_velocity = face_velocities[index];
        const float density = densities[index];
        const float expectation = expectations[index];
        const float new_face =
            face_velocity -
            settings.inverse_spacing * (here - potential[(z * height + max(y - 1, 0)) * width + x]) / density;
        const float residual = expectation - new_face;
        const float importance = importances[index].w;
        new_faces[index] = importance * (residual * residual);
    }
}

cudaError_t launch_projection(const int* mask, const float* potential, const float* face_velocities,
                              const float* densities, const float* expectations, const float4* importances,
                              float* new_faces, ProjectionParams settings, int depth, int height, int width,
                              cudaStream_t stream = nullptr) {
    if (depth == 0 || height == 0 || width == 0) return cudaSuccess;
    if (int64_t(depth) * height > INT_MAX / width) return cudaErrorInvalidValue;
    // A block is made for rows of 5: in a wider one, threads would idle.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(8, 8, 4);
    const dim3 grid((width + block.x - 1) / block.x,
                    std::min<unsigned>((height + block.y - 1) / block.y, 65535),
                    (depth + block.z - 1) / block.z);
    projection<<<grid, block, 0, stream>>>(mask, potential, face_velocities, densities, expectations,
                                           importances, new_faces, settings, depth, height, width);
    return cudaGetLastError();
}

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int depth = 3, height = 67, width = 5;
    Array<int> mask(depth * height * width);
    Array<float> potential(depth * height * width), face_velocities(depth * height * width),
        densities(depth * height * width), expectations(depth * height * width),
        new_faces(depth * height * width);
    Array<float4> importances(depth * height * width);
    ProjectionParams settings{};
    settings.inverse_spacing = random_uniform(7, 0, 0.5, 2.0);
    for (size_t i = 0; i < mask.count; ++i) {
        mask.host[i] = random_integer(0, i, 0, 2);
        potential.host[i] = random_uniform(1, i, -1.0, 1.0);
        face_velocities.host[i] = random_uniform(2, i, -1.0, 1.0);
        densities.host[i] = random_uniform(3, i, 0.5, 2.0);
        expectations.host[i] = random_uniform(4, i, -1.0, 1.0);
    }
    for (size_t i = 0; i < 4 * importances.count; ++i)
        reinterpret_cast<float*>(importances.host)[i] = random_uniform(5, i, 0.1, 2.0);
    mask.upload();
    for (auto* array : {&potential, &face_velocities, &densities, &expectations, &new_faces}) array->upload();
    importances.upload();
    CUDA_CHECK(launch_projection(mask.device, potential.device, face_velocities.device, densities.device,
                                 expectations.device, importances.device, new_faces.device, settings, depth,
                                 height, width));
    new_faces.download();
    print_output("new_faces", new_faces.host, new_faces.count);
    return EXIT_SUCCESS;
}
