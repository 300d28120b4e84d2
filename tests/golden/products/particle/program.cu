#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void print_output(const char* name, Array<float3, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int ny = 100, nx = 10;
    Array<float3, float> positions(ny * nx), velocities(ny * nx), new_velocities(ny * nx),
        new_positions(ny * nx);
    fill_uniform(positions, 0x2370168f, -1.5, 1.5);
    fill_uniform(velocities, 0x9c9df0a2, -2.0, 2.0);
    CUDA_CHECK(launch_bounce_at_walls(positions.device, velocities.device, new_velocities.device,
                                      new_positions.device, ny * nx));
    print_output("new_velocities", new_velocities);
    print_output("new_positions", new_positions);
    return 0;
}
