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

__constant__ float entries[32];

// Function from a table of 32 entries, eased between entries. The level is multiplied by its importance.
// Precondition: no element of coordinates is negative.
__global__ void lookup(const float* __restrict__ coordinates, const float* __restrict__ importances,
                       int num_items, float* __restrict__ levels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_items) return;

    const float spot = coordinates[i] * 31.0f;
    const int cell = min(int(spot), 30);
    const float t = spot - float(cell);
    const float eased = t * t * (3.0f - 2.0f * t);
    const float before = entries[cell];
    const float after = entries[cell + 1];
    levels[i] = importances[i] * (before + eased * (after - before));
}

cudaError_t launch_lookup(const float* coordinates, const float* importances, int num_items, float* levels,
                          cudaStream_t stream = nullptr) {
    if (num_items == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_items + block - 1) / block;
    lookup<<<grid, block, 0, stream>>>(coordinates, importances, num_items, levels);
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
    const int n = 1000;
    Array<float> coordinates(n), importances(n), levels(n), entries_(32);
    for (size_t i = 0; i < coordinates.count; ++i) {
        coordinates.host[i] = random_uniform(1, i, 0.0, 1.0);
        importances.host[i] = random_uniform(2, i, 0.1, 2.0);
    }
    for (size_t i = 0; i < entries_.count; ++i) entries_.host[i] = random_uniform(0, i, -1.0, 1.0);
    for (auto* array : {&coordinates, &importances, &levels}) array->upload();
    CUDA_CHECK(cudaMemcpyToSymbol(entries, entries_.host, sizeof(entries)));
    CUDA_CHECK(launch_lookup(coordinates.device, importances.device, n, levels.device));
    levels.download();
    print_output("levels", levels.host, levels.count);
    return EXIT_SUCCESS;
}
