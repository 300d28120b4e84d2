#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float SQRT_TWO_OVER_PI = 0.7978846f;
constexpr float GELU_CUBIC = 0.044715f;

// Highway connection.
__global__ void highway_connection(const float* __restrict__ up_projections, const float* __restrict__ gates,
                                   const float* __restrict__ skips, float* __restrict__ layer_outputs,
                                   int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const float up_projection = up_projections[index];
    const float gate = gates[index];
    const float inner = SQRT_TWO_OVER_PI * (gate + GELU_CUBIC * gate * gate * gate);
    const float activation = up_projection * (0.5f * gate * (1.0f + tanhf(inner)));
    const float skip = skips[index];
    const float share = 1.0f / (1.0f + expf(-gate));
    layer_outputs[index] = share * activation + (1.0f - share) * skip;
}

cudaError_t launch_highway_connection(const float* up_projections, const float* gates, const float* skips,
                                      float* layer_outputs, int count, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    highway_connection<<<grid, block, 0, stream>>>(up_projections, gates, skips, layer_outputs, count);
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
    const int batch = 11, units = 192;
    Array<float> up_projections(batch * units), gates(batch * units), skips(batch * units),
        layer_outputs(batch * units);
    fill_uniform(up_projections, 0x2370168f, -3.0, 3.0);
    fill_uniform(gates, 0x9c9df0a2, -4.0, 4.0);
    fill_uniform(skips, 0x8a2e10de, -2.0, 2.0);
    CUDA_CHECK(launch_highway_connection(up_projections.device, gates.device, skips.device,
                                         layer_outputs.device, batch * units));
    layer_outputs.download();
    double sum = 0.0;
    for (size_t i = 0; i < layer_outputs.count; ++i) sum += layer_outputs.host[i];
    std::printf("layer_outputs: first %g, last %g, sum %.9g\n", layer_outputs.host[0],
                layer_outputs.host[layer_outputs.count - 1], sum);
    return 0;
}
