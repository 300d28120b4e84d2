#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, groups = 334, parts = 4;
    Array<int> enabled(n), group_ids(n), amounts(n), part_values(n * parts), recorded(n), maxima(groups);
    Array<float> spots(n);
    fill_integers(enabled, 0x2370168f, 0, 2);
    fill_integers(group_ids, 0x9c9df0a2, 0, groups);
    fill_integers(amounts, 0x8a2e10de, -6, 7);
    fill_integers(part_values, 0x86a00a5c, 0, 4);
    fill_uniform(spots, 0x14cd5bc2, 0.0, 1.0);
    for (size_t i = 0; i < maxima.count; ++i) maxima.host[i] = -1000;
    maxima.upload();
    CUDA_CHECK(launch_group_extremes(enabled.device, group_ids.device, amounts.device, part_values.device,
                                     spots.device, recorded.device, maxima.device, n, parts));
    print_output("recorded", recorded);
    print_output("maxima", maxima);
    return 0;
}
