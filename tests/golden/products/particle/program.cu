#include <cuda_runtime.h>
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

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Keeps particles inside a ball and reflects their velocities.
__global__ void bounce_at_walls(const float3* __restrict__ positions, const float3* __restrict__ velocities,
                                float3* __restrict__ new_velocities, float3* __restrict__ new_positions,
                                int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const float3 velocity = velocities[index];
    const float3 position = positions[index];
    const float distance = fmaxf(length(position), 0.1f);
    const float3 normal = position / distance;
    const float outward = dot(normal, velocity);
    float3 new_x = position;
    float3 new_v = velocity;
    if (distance > 0.8f) {
        new_x = position - (distance - 0.8f) * normal;
        new_v = velocity - 1.3f * fmaxf(outward, 0.0f) * normal;
    }
    new_velocities[index] = new_v;
    new_positions[index] = new_x;
}

cudaError_t launch_bounce_at_walls(const float3* positions, const float3* velocities, float3* new_velocities,
                                   float3* new_positions, int count, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    bounce_at_walls<<<grid, block, 0, stream>>>(positions, velocities, new_velocities, new_positions, count);
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
    const int ny = 100, nx = 10;
    Array<float3> positions(ny * nx), velocities(ny * nx), new_velocities(ny * nx), new_positions(ny * nx);
    for (size_t i = 0; i < 3 * positions.count; ++i) {
        reinterpret_cast<float*>(positions.host)[i] = random_uniform(0, i, -1.5, 1.5);
        reinterpret_cast<float*>(velocities.host)[i] = random_uniform(1, i, -2.0, 2.0);
    }
    for (auto* array : {&positions, &velocities, &new_velocities, &new_positions}) array->upload();
    CUDA_CHECK(launch_bounce_at_walls(positions.device, velocities.device, new_velocities.device,
                                      new_positions.device, ny * 10));
    new_velocities.download();
    new_positions.download();
    print_output("new_velocities", reinterpret_cast<float*>(new_velocities.host), 3 * new_velocities.count);
    print_output("new_positions", reinterpret_cast<float*>(new_positions.host), 3 * new_positions.count);
    return EXIT_SUCCESS;
}
