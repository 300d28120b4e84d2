#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Tip deflection of a cantilever.
__global__ void eval_cantilever_deflection(const float* __restrict__ lengths,
                                           const float* __restrict__ second_moments, float youngs_modulus,
                                           float tip_load, float* __restrict__ deflections, int n) {
    const int beam = blockIdx.x * blockDim.x + threadIdx.x;
    if (beam >= n) return;

    const float length = lengths[beam];
    const float bending_stiffness = youngs_modulus * second_moments[beam];
    deflections[beam] = tip_load * length * length * length / (3.0f * bending_stiffness);
}

cudaError_t launch_eval_cantilever_deflection(const float* lengths, const float* second_moments,
                                              float youngs_modulus, float tip_load, float* deflections, int n,
                                              cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_cantilever_deflection<<<grid, block, 0, stream>>>(lengths, second_moments, youngs_modulus, tip_load,
                                                           deflections, n);
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

int main() {
    const int n = 1000;
    Array<float> lengths(n), second_moments(n), deflections(n);
    const float youngs_modulus = 1.3230319f, tip_load = 0.9122458f;
    fill_uniform(lengths, 0x2370168f, 0.5, 3.0);
    fill_uniform(second_moments, 0x9c9df0a2, 0.001, 0.05);
    CUDA_CHECK(launch_eval_cantilever_deflection(lengths.device, second_moments.device, youngs_modulus,
                                                 tip_load, deflections.device, n));
    deflections.download();
    double sum = 0.0;
    for (size_t i = 0; i < deflections.count; ++i) sum += deflections.host[i];
    std::printf("deflections: first %g, last %g, sum %.9g\n", deflections.host[0],
                deflections.host[deflections.count - 1], sum);
    return 0;
}
