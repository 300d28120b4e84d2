#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float SCALE = 1.7f;

// CUDA has no atomic min of floating-point numbers: compare and swap the bits.
__device__ inline float min_atomically(float* address, float v) {
    unsigned int* const bits = reinterpret_cast<unsigned int*>(address);
    unsigned int seen = *static_cast<volatile unsigned int*>(bits);
    while (true) {
        const unsigned int wanted = __float_as_uint(fminf(__uint_as_float(seen), v));
        if (wanted == seen) break;
        const unsigned int found = atomicCAS(bits, seen, wanted);
        if (found == seen) break;
        seen = found;
    }
    return __uint_as_float(seen);
}

// Minimum scaled value in each group of the elements whose mask has bit 1. Each thread's value is stored as
// well.
// Precondition: elements of group_ids are indices of minima.
__global__ void group_extremes(const int* __restrict__ group_ids, const float* __restrict__ heights,
                               const int* __restrict__ masks, float* __restrict__ own_values, float* minima,
                               int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const float height = heights[index];
    const float candidate = SCALE * height;
    own_values[index] = candidate;
    if ((masks[index] & 1) != 0) {
        min_atomically(&minima[group_ids[index]], candidate);
    }
}

cudaError_t launch_group_extremes(const int* group_ids, const float* heights, const int* masks,
                                  float* own_values, float* minima, int count,
                                  cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    group_extremes<<<grid, block, 0, stream>>>(group_ids, heights, masks, own_values, minima, count);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int depth = 8, height = 5, width = 25, groups = 334;
    Array<int> group_ids(depth * height * width), masks(depth * height * width);
    Array<float> heights(depth * height * width), own_values(depth * height * width), minima(groups);
    fill_integers(group_ids, 0x2370168f, groups);
    fill_uniform(heights, 0x9c9df0a2, -1.0, 1.0);
    fill_integers(masks, 0x8a2e10de, 16);
    for (size_t i = 0; i < minima.count; ++i) minima.host[i] = 100.0f;
    minima.upload();
    CUDA_CHECK(launch_group_extremes(group_ids.device, heights.device, masks.device, own_values.device,
                                     minima.device, depth * height * width));
    print_output("own_values", own_values);
    print_output("minima", minima);
    return 0;
}
