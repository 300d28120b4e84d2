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

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2& operator+=(float2& a, float2 b) { return a = a + b; }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Weight that vanishes at the cutoff.
__device__ float kernel_weight(float r, float cutoff) {
    const float q = fmaxf(1.0f - r / cutoff, 0.0f);
    return sqrtf(q);
}

// Repulsion from the neighbours of each particle within a cutoff. Elements that are not enabled are skipped.
// A table of 3 by 3 kinds has the strengths. The previous value is subtracted from the force.
// Precondition: elements of neighbor_ids lie in [0, n).
// Precondition: elements of kinds lie in [0, 3).
__global__ void neighbor_force(const int* __restrict__ enabled, const float2* __restrict__ positions,
                               const int* __restrict__ neighbor_ids, const int* __restrict__ kinds,
                               const float* __restrict__ strengths, const float2* __restrict__ previous,
                               float2* __restrict__ forces, int n, int slots) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;
    if (enabled[particle] == 0) return;

    const float2 position = positions[particle];
    const int kind = kinds[particle];
    float2 force = make_float2(0.0f, 0.0f);
    for (int slot = 0; slot < 6; ++slot) {
        const int j = neighbor_ids[size_t(particle) * slots + slot];
        if (j == particle) {
            continue;
        }
        const float2 offset = position - positions[j];
        const float r = length(offset);
        force += strengths[kind * 3 + kinds[j]] * kernel_weight(r, 1.5f) * offset;
    }
    const float2 previous_value = previous[particle];
    forces[particle] = force - previous_value;
}

cudaError_t launch_neighbor_force(const int* enabled, const float2* positions, const int* neighbor_ids,
                                  const int* kinds, const float* strengths, const float2* previous,
                                  float2* forces, int n, int slots, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    neighbor_force<<<grid, block, 0, stream>>>(enabled, positions, neighbor_ids, kinds, strengths, previous,
                                               forces, n, slots);
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
    const int n = 1000, slots = 6;
    Array<int> enabled(n), neighbor_ids(n * slots), kinds(n);
    Array<float2> positions(n), previous(n), forces(n);
    Array<float> strengths(3 * 3);
    for (size_t i = 0; i < enabled.count; ++i) {
        enabled.host[i] = random_integer(0, i, 0, 2);
        kinds.host[i] = random_integer(3, i, 0, 3);
    }
    for (size_t i = 0; i < 2 * positions.count; ++i) {
        reinterpret_cast<float*>(positions.host)[i] = random_uniform(1, i, -1.0, 1.0);
        reinterpret_cast<float*>(previous.host)[i] = random_uniform(5, i, -1.0, 1.0);
    }
    for (size_t i = 0; i < neighbor_ids.count; ++i) neighbor_ids.host[i] = random_integer(2, i, 0, n);
    for (size_t i = 0; i < strengths.count; ++i) strengths.host[i] = random_uniform(4, i, -1.0, 2.0);
    for (auto* array : {&enabled, &neighbor_ids, &kinds}) array->upload();
    for (auto* array : {&positions, &previous, &forces}) array->upload();
    strengths.upload();
    CUDA_CHECK(launch_neighbor_force(enabled.device, positions.device, neighbor_ids.device, kinds.device,
                                     strengths.device, previous.device, forces.device, n, slots));
    forces.download();
    print_output("forces", reinterpret_cast<float*>(forces.host), 2 * forces.count);
    return EXIT_SUCCESS;
}
