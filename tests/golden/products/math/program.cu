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

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// Evaluate a filtered expansion in spherical harmonics; every degree has a gain.
__global__ void sh_filter(const float3* __restrict__ view_directions, const float* __restrict__ coeffs,
                          const float* __restrict__ band_gains, float* __restrict__ values, int n_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_count) return;

    const float3 n = normalize(view_directions[i]);
    const float x = n.x;
    const float y = n.y;
    const float z = n.z;
    const float constant = 0.28209479f * coeffs[0];
    const float linear = 0.48860251f * (y * coeffs[1] + z * coeffs[2] + x * coeffs[3]);
    float quadratic = 1.0925484f * (x * y * coeffs[4] + y * z * coeffs[5] + x * z * coeffs[7]);
    quadratic += 0.31539157f * (3.0f * z * z - 1.0f) * coeffs[6];
    quadratic += 0.54627422f * (x * x - y * y) * coeffs[8];
    values[i] = band_gains[0] * constant + band_gains[1] * linear + band_gains[2] * quadratic;
}

cudaError_t launch_sh_filter(const float3* view_directions, const float* coeffs, const float* band_gains,
                             float* values, int n_count, cudaStream_t stream = nullptr) {
    if (n_count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n_count + block - 1) / block;
    sh_filter<<<grid, block, 0, stream>>>(view_directions, coeffs, band_gains, values, n_count);
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
    const int n = 1000;
    Array<float3, float> view_directions(n);
    Array<float> coeffs(9), band_gains(3), values(n);
    fill_uniform(view_directions, 0x2370168f, -1.0, 1.0);
    fill_uniform(coeffs, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(band_gains, 0x8a2e10de, 0.2, 1.0);
    CUDA_CHECK(launch_sh_filter(view_directions.device, coeffs.device, band_gains.device, values.device, n));
    values.download();
    double sum = 0.0;
    for (size_t i = 0; i < values.count; ++i) sum += values.host[i];
    std::printf("values: first %g, last %g, sum %.9g\n", values.host[0], values.host[values.count - 1], sum);
    return 0;
}
