#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Parameters of all mixtures.
struct MixtureParams {
    float top_rate;
    float half_saturation;
    float inhibition_constant;
};

// Per-mixture enzyme rate under substrate inhibition.
__global__ void compute_enzyme_rate(const float* __restrict__ concentrations, MixtureParams options,
                                    float* __restrict__ enzyme_rates, int n) {
    const int mixture = blockIdx.x * blockDim.x + threadIdx.x;
    if (mixture >= n) return;

    const float concentration = concentrations[mixture];
    enzyme_rates[mixture] = options.top_rate * concentration /
                            (options.half_saturation + concentration +
                             concentration * concentration / options.inhibition_constant);
}

cudaError_t launch_compute_enzyme_rate(const float* concentrations, MixtureParams options,
                                       float* enzyme_rates, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_enzyme_rate<<<grid, block, 0, stream>>>(concentrations, options, enzyme_rates, n);
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
    Array<float> concentrations(n), enzyme_rates(n);
    MixtureParams options{};
    options.top_rate = 1.3971269f;
    options.half_saturation = 1.0404218f;
    options.inhibition_constant = 0.7489647f;
    fill_uniform(concentrations, 0x2370168f, 0.1, 3.0);
    CUDA_CHECK(launch_compute_enzyme_rate(concentrations.device, options, enzyme_rates.device, n));
    enzyme_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < enzyme_rates.count; ++i) sum += enzyme_rates.host[i];
    std::printf("enzyme_rates: first %g, last %g, sum %.9g\n", enzyme_rates.host[0],
                enzyme_rates.host[enzyme_rates.count - 1], sum);
    return 0;
}
