#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// advect_concentration_2: 4 steps: advect the concentration by one explicit step.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float DX = 0.18f;
constexpr float DT = 0.006f;

// Advect the concentration by one explicit step. Uses the central-difference advection term. Indices are
// clamped at both ends.
__global__ void advect_concentration(const float* __restrict__ concentrations,
                                     const float* __restrict__ velocities, int count,
                                     float* __restrict__ next_concentrations) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const float left = concentrations[max(i - 1, 0)];
    const float right = concentrations[min(i + 1, count - 1)];
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    const float advection_rate = 0.0f - velocities[i] * ((right - left) / (2.0f * DX));
    next_concentrations[i] = concentrations[i] + DT * advection_rate;
}

cudaError_t launch_advect_concentration(const float* concentrations, const float* velocities, int count,
                                        float* next_concentrations, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    advect_concentration<<<grid, block, 0, stream>>>(concentrations, velocities, count, next_concentrations);
    return cudaGetLastError();
}

cudaError_t launch_advect_concentration_2(const float* velocities, float* concentrations,
                                          float* next_concentrations, int count,
                                          cudaStream_t stream = nullptr) {
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status =
                launch_advect_concentration(concentrations, velocities, count, next_concentrations, stream))
            return status;
        if (const cudaError_t status =
                launch_advect_concentration(next_concentrations, velocities, count, concentrations, stream))
            return status;
    }
    return cudaSuccess;
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
    Array<float> velocities(n), concentrations(n), next_concentrations(n);
    fill_uniform(velocities, 0x2370168f, -1.0, 1.0);
    fill_uniform(concentrations, 0x9c9df0a2, 0.0, 1.0);
    CUDA_CHECK(launch_advect_concentration_2(velocities.device, concentrations.device,
                                             next_concentrations.device, n));
    print_output("concentrations", concentrations);
    print_output("next_concentrations", next_concentrations);
    return 0;
}
