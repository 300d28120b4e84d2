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
__device__ inline float length_squared(float3 a) { return dot(a, a); }

// Cholesky factor of a 2 by 2 matrix, its three entries in a vector; the matrix is a^2 + shift, b, c^2 +
// shift. A baseline is subtracted from c. The squared magnitude of the factor is stored as well.
__global__ void factor_entry(const float* __restrict__ a_values, const float* __restrict__ bs,
                             const float* __restrict__ cs, const float* __restrict__ c_baselines, float shift,
                             float3* __restrict__ factors, float* __restrict__ squared_magnitudes,
                             int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const float a = a_values[index];
    const float b = bs[index];
    const float c = cs[index];
    const float relative_c = c - c_baselines[index];
    const float l00 = sqrtf(a * a + shift);
    const float l10 = b / l00;
    const float rest = relative_c * relative_c + shift - l10 * l10;
    const float l11 = sqrtf(fmaxf(rest, 0.1f));
    const float3 factor = make_float3(l00, l10, l11);
    factors[index] = factor;
    squared_magnitudes[index] = length_squared(factor);
}

cudaError_t launch_factor_entry(const float* a_values, const float* bs, const float* cs,
                                const float* c_baselines, float shift, float3* factors,
                                float* squared_magnitudes, int count, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    factor_entry<<<grid, block, 0, stream>>>(a_values, bs, cs, c_baselines, shift, factors,
                                             squared_magnitudes, count);
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
    const int rows = 12, cols = 84;
    Array<float> a_values(rows * cols), bs(rows * cols), cs(rows * cols), c_baselines(rows * cols),
        squared_magnitudes(rows * cols);
    Array<float3> factors(rows * cols);
    const float shift = random_uniform(4, 0, 1.0, 3.0);
    for (size_t i = 0; i < a_values.count; ++i) {
        a_values.host[i] = random_uniform(0, i, -0.5, 0.5);
        bs.host[i] = random_uniform(1, i, -0.5, 0.5);
        cs.host[i] = random_uniform(2, i, -0.5, 0.5);
        c_baselines.host[i] = random_uniform(3, i, -0.15, 0.15);
    }
    for (auto* array : {&a_values, &bs, &cs, &c_baselines, &squared_magnitudes}) array->upload();
    factors.upload();
    CUDA_CHECK(launch_factor_entry(a_values.device, bs.device, cs.device, c_baselines.device, shift,
                                   factors.device, squared_magnitudes.device, 12 * cols));
    factors.download();
    squared_magnitudes.download();
    print_output("factors", reinterpret_cast<float*>(factors.host), 3 * factors.count);
    print_output("squared_magnitudes", squared_magnitudes.host, squared_magnitudes.count);
    return EXIT_SUCCESS;
}
