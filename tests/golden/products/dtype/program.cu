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

// Weighted sum of each row in double precision. The total is squared.
__global__ void precise_sum(const float* __restrict__ rows, const float* __restrict__ weights, int num_items,
                            float* __restrict__ totals, int length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_items) return;

    double total = 0.0;
    for (int j = 0; j < 24; ++j) {
        total += double(rows[size_t(i) * length + j]) * double(weights[j]);
    }
    const float final_total = float(total);
    totals[i] = final_total * final_total;
}

cudaError_t launch_precise_sum(const float* rows, const float* weights, int num_items, float* totals,
                               int length, cudaStream_t stream = nullptr) {
    if (num_items == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_items + block - 1) / block;
    precise_sum<<<grid, block, 0, stream>>>(rows, weights, num_items, totals, length);
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
    const int n = 1000, length = 24;
    Array<float> rows(n * length), weights(length), totals(n);
    for (size_t i = 0; i < rows.count; ++i) rows.host[i] = random_uniform(0, i, -1.0, 1.0);
    for (size_t i = 0; i < weights.count; ++i) weights.host[i] = random_uniform(1, i, -1.0, 1.0);
    for (auto* array : {&rows, &weights, &totals}) array->upload();
    CUDA_CHECK(launch_precise_sum(rows.device, weights.device, n, totals.device, length));
    totals.download();
    print_output("totals", totals.host, totals.count);
    return EXIT_SUCCESS;
}
