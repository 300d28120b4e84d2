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
    const int rows = 12, cols = 84;
    Array<float> a_values(rows * cols), bs(rows * cols), cs(rows * cols), c_baselines(rows * cols),
        squared_magnitudes(rows * cols);
    Array<float3, float> factors(rows * cols);
    const float shift = 1.6251353f;
    fill_uniform(a_values, 0x2370168f, -0.5, 0.5);
    fill_uniform(bs, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(cs, 0x8a2e10de, -0.5, 0.5);
    fill_uniform(c_baselines, 0x86a00a5c, -0.15, 0.15);
    CUDA_CHECK(launch_factor_entry(a_values.device, bs.device, cs.device, c_baselines.device, shift,
                                   factors.device, squared_magnitudes.device, rows * cols));
    print_output("factors", factors);
    print_output("squared_magnitudes", squared_magnitudes);
    return 0;
}
