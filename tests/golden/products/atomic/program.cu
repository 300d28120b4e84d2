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

// Maximum of the values plus 4 parts each in each group of the elements whose spot is between 0.33 and 0.69.
// Elements that are not enabled are skipped. Each thread's amount is stored as well.
// Precondition: elements of group_ids are indices of maxima.
__global__ void group_extremes(const int* __restrict__ enabled, const int* __restrict__ group_ids,
                               const int* __restrict__ amounts, const int* __restrict__ part_values,
                               const float* __restrict__ spots, int* __restrict__ recorded, int* maxima,
                               int n, int parts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (enabled[i] == 0) return;

    int sum_of_parts = amounts[i];
    for (int part = 0; part < 4; ++part) {
        sum_of_parts += part_values[size_t(i) * parts + part];
    }
    recorded[i] = sum_of_parts;
    if (spots[i] >= 0.33f && spots[i] < 0.69f) {
        atomicMax(&maxima[group_ids[i]], sum_of_parts);
    }
}

cudaError_t launch_group_extremes(const int* enabled, const int* group_ids, const int* amounts,
                                  const int* part_values, const float* spots, int* recorded, int* maxima,
                                  int n, int parts, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    group_extremes<<<grid, block, 0, stream>>>(enabled, group_ids, amounts, part_values, spots, recorded,
                                               maxima, n, parts);
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

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
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
    const int n = 1000, groups = 334, parts = 4;
    Array<int> enabled(n), group_ids(n), amounts(n), part_values(n * parts), recorded(n), maxima(groups);
    Array<float> spots(n);
    for (size_t i = 0; i < enabled.count; ++i) {
        enabled.host[i] = random_integer(0, i, 0, 2);
        group_ids.host[i] = random_integer(1, i, 0, groups);
        amounts.host[i] = random_integer(2, i, -6, 7);
        spots.host[i] = random_uniform(4, i, 0.0, 1.0);
    }
    for (size_t i = 0; i < part_values.count; ++i) part_values.host[i] = random_integer(3, i, 0, 4);
    for (size_t i = 0; i < maxima.count; ++i) maxima.host[i] = -1000;
    for (auto* array : {&enabled, &group_ids, &amounts, &part_values, &recorded, &maxima}) array->upload();
    spots.upload();
    CUDA_CHECK(launch_group_extremes(enabled.device, group_ids.device, amounts.device, part_values.device,
                                     spots.device, recorded.device, maxima.device, n, parts));
    recorded.download();
    maxima.download();
    print_output("recorded", recorded.host, recorded.count);
    print_output("maxima", maxima.host, maxima.count);
    return EXIT_SUCCESS;
}
