#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Mean pressure by Hooke's law in plane stress; Poisson's ratio is 0.23. The shear stress is stored as well.
__global__ void hooke_stress(const float* __restrict__ exx_values, const float* __restrict__ eyy_values,
                             const float* __restrict__ exy_values, float youngs_modulus,
                             float* __restrict__ shears, float* __restrict__ responses, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float factor = youngs_modulus / 0.9471f;
    const float exx = exx_values[i];
    const float exy = exy_values[i];
    const float syy = factor * (eyy_values[i] + 0.23f * exx);
    const float sxx = factor * (exx + 0.23f * eyy_values[i]);
    const float sxy = factor * 0.385f * exy;
    shears[i] = sxy;
    responses[i] = -0.5f * (sxx + syy);
}

cudaError_t launch_hooke_stress(const float* exx_values, const float* eyy_values, const float* exy_values,
                                float youngs_modulus, float* shears, float* responses, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    hooke_stress<<<grid, block, 0, stream>>>(exx_values, eyy_values, exy_values, youngs_modulus, shears,
                                             responses, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<float> exx_values(n), eyy_values(n), exy_values(n), shears(n), responses(n);
    const float youngs_modulus = 2.7099912f;
    fill_uniform(exx_values, 0x2370168f, -0.5, 0.5);
    fill_uniform(eyy_values, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(exy_values, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_hooke_stress(exx_values.device, eyy_values.device, exy_values.device, youngs_modulus,
                                   shears.device, responses.device, n));
    print_output("shears", shears);
    print_output("responses", responses);
    return 0;
}
