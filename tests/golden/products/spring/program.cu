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

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Correction of a distance constraint between points of different masses, for both ends.
// Precondition: elements of starts and ends lie in [0, count).
__global__ void distance_constraint(const float2* __restrict__ positions, const int* __restrict__ starts,
                                    const int* __restrict__ ends, const float* __restrict__ rest_lengths,
                                    const float* __restrict__ inverse_masses, int count,
                                    float2* __restrict__ corrections_b, float2* __restrict__ corrections_a) {
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < count; c += gridDim.x * blockDim.x) {
        const int a = starts[c];
        const int b = ends[c];
        const float wa = inverse_masses[a];
        const float2 d = positions[a] - positions[b];
        const float length_ = fmaxf(length(d), 0.05f);
        const float error = length_ - rest_lengths[c];
        const float wb = inverse_masses[b];
        // 0 - x rather than -x: the negative of zero is zero, not negative zero.
        const float2 push = 0.5f * ((0.0f - error) / (wa + wb)) / length_ * d;
        corrections_b[c] = -wb * push;
        corrections_a[c] = wa * push;
    }
}

cudaError_t launch_distance_constraint(const float2* positions, const int* starts, const int* ends,
                                       const float* rest_lengths, const float* inverse_masses, int stride,
                                       int count, float2* corrections_b, float2* corrections_a,
                                       cudaStream_t stream = nullptr) {
    if (stride == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (stride + block - 1) / block;
    distance_constraint<<<grid, block, 0, stream>>>(positions, starts, ends, rest_lengths, inverse_masses,
                                                    count, corrections_b, corrections_a);
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
    const int n = 1000, points = 1000, threads = 512;
    Array<float2> positions(points), corrections_b(n), corrections_a(n);
    Array<int> starts(n), ends(n);
    Array<float> rest_lengths(n), inverse_masses(points);
    for (size_t i = 0; i < 2 * positions.count; ++i)
        reinterpret_cast<float*>(positions.host)[i] = random_uniform(0, i, -1.0, 1.0);
    for (size_t i = 0; i < starts.count; ++i) {
        starts.host[i] = random_integer(1, i, 0, points);
        ends.host[i] = random_integer(2, i, 0, points);
        rest_lengths.host[i] = random_uniform(3, i, 0.3, 1.2);
    }
    for (size_t i = 0; i < inverse_masses.count; ++i) inverse_masses.host[i] = random_uniform(4, i, 0.1, 1.5);
    for (auto* array : {&positions, &corrections_b, &corrections_a}) array->upload();
    starts.upload();
    ends.upload();
    rest_lengths.upload();
    inverse_masses.upload();
    CUDA_CHECK(launch_distance_constraint(positions.device, starts.device, ends.device, rest_lengths.device,
                                          inverse_masses.device, threads, n, corrections_b.device,
                                          corrections_a.device));
    corrections_b.download();
    corrections_a.download();
    print_output("corrections_b", reinterpret_cast<float*>(corrections_b.host), 2 * corrections_b.count);
    print_output("corrections_a", reinterpret_cast<float*>(corrections_a.host), 2 * corrections_a.count);
    return EXIT_SUCCESS;
}
