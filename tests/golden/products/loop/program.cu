#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Advance the prey of each patch by some generations of the logistic map.
__global__ void advance_mapped_prey(const float* __restrict__ prey_densities,
                                    const float* __restrict__ capacities,
                                    float* __restrict__ new_prey_densities, float top_growth, int generations,
                                    int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float prey = prey_densities[i];
    const float capacity = capacities[i];
    float share = fminf(prey / capacity, 0.95f);
    for (int iteration = 0; iteration < generations; ++iteration) {
        share = fminf(fmaxf(0.0f, share + top_growth * share * (1.0f - share)), 1.0f);
    }
    const float new_prey = share * capacity;
    new_prey_densities[i] = new_prey;
}

cudaError_t launch_advance_mapped_prey(const float* prey_densities, const float* capacities,
                                       float* new_prey_densities, float top_growth, int generations, int n,
                                       cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    advance_mapped_prey<<<grid, block, 0, stream>>>(prey_densities, capacities, new_prey_densities,
                                                    top_growth, generations, n);
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
    Array<float> prey_densities(n), capacities(n), new_prey_densities(n);
    const float top_growth = 0.68474805f;
    const int generations = 7;
    fill_uniform(prey_densities, 0x2370168f, 0.2, 3.0);
    fill_uniform(capacities, 0x9c9df0a2, 1.0, 4.0);
    CUDA_CHECK(launch_advance_mapped_prey(prey_densities.device, capacities.device, new_prey_densities.device,
                                          top_growth, generations, n));
    new_prey_densities.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_prey_densities.count; ++i) sum += new_prey_densities.host[i];
    std::printf("new_prey_densities: first %g, last %g, sum %.9g\n", new_prey_densities.host[0],
                new_prey_densities.host[new_prey_densities.count - 1], sum);
    return 0;
}
