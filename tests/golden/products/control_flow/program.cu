#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

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

// Of 53 random bits.

void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> mask(n), open_flags(n);
    Array<double> samples(10 * n), levels(n), leads(n);
    fill_integers(mask, 0x2370168f, 2);
    fill_uniform(samples, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(levels, 0x8a2e10de, 0.4, 0.85);
    fill_integers(open_flags, 0x86a00a5c, 2);
    CUDA_CHECK(
        launch_first_above(mask.device, samples.device, levels.device, open_flags.device, leads.device, n));
    leads.download();
    double sum = 0.0;
    for (size_t i = 0; i < leads.count; ++i) sum += leads.host[i];
    std::printf("leads: first %g, last %g, sum %.9g\n", leads.host[0], leads.host[leads.count - 1], sum);
    return 0;
}
