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

// Sum of each row before its first value above a level, plus that position. Elements outside the mask are
// skipped. samples is flat, 10 numbers for each row. Where open_flags is zero, 0.85 takes the place of the
// lead. The result goes through a logistic function.
__global__ void first_above(const int* __restrict__ mask, const double* __restrict__ samples,
                            const double* __restrict__ levels, const int* __restrict__ open_flags,
                            double* __restrict__ leads, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    if (mask[row] == 0) return;

    const int base = row * 10;
    int found = -1;
    double total = 0.0;
    int j = 0;
    while (j < 10 && found == -1) {
        const double here = samples[base + j];
        if (here > levels[row]) {
            found = j;
        } else {
            total += here;
        }
        j += 1;
    }
    const double lead = total + double(found);
    const double gated_lead = open_flags[row] == 0 ? 0.85 : lead;
    leads[row] = 1.0 / (1.0 + exp(-gated_lead));
}

cudaError_t launch_first_above(const int* mask, const double* samples, const double* levels,
                               const int* open_flags, double* leads, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    first_above<<<grid, block, 0, stream>>>(mask, samples, levels, open_flags, leads, n);
    return cudaGetLastError();
}

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

// With 53 random bits.
double random_double(uint32_t parameter, uint32_t i, double low, double high) {
    const uint32_t leading = random_bits(parameter, i);
    return low + ((leading >> 8) * 0x1p-24 + (pcg(leading) >> 3) * 0x1p-53) * (high - low);
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
    const int n = 1000;
    Array<int> mask(n), open_flags(n);
    Array<double> samples(10 * n), levels(n), leads(n);
    for (size_t i = 0; i < mask.count; ++i) {
        mask.host[i] = random_integer(0, i, 0, 2);
        levels.host[i] = random_double(2, i, 0.4, 0.85);
        open_flags.host[i] = random_integer(3, i, 0, 2);
    }
    for (size_t i = 0; i < samples.count; ++i) samples.host[i] = random_double(1, i, -1.0, 1.0);
    mask.upload();
    open_flags.upload();
    for (auto* array : {&samples, &levels, &leads}) array->upload();
    CUDA_CHECK(
        launch_first_above(mask.device, samples.device, levels.device, open_flags.device, leads.device, n));
    leads.download();
    print_output("leads", leads.host, leads.count);
    return EXIT_SUCCESS;
}
