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

// The bits of x, 2 places apart.
__device__ uint32_t expand_bits(uint32_t x) {
    uint32_t v = x & 65535u;
    v = (v | (v << 8)) & 0xFF00FFu;
    v = (v | (v << 4)) & 0xF0F0F0Fu;
    v = (v | (v << 2)) & 0x33333333u;
    v = (v | (v << 1)) & 0x55555555u;
    return v;
}

// Morton code of each cell in 2 dimensions, x in the lowest bits. Three bits of the code decide whether the
// amplitude changes its sign.
__global__ void morton_code(const int* __restrict__ cells_x, const int* __restrict__ cells_y,
                            const float* __restrict__ amplitudes, float* __restrict__ outputs, int n) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const uint32_t morton =
        expand_bits(uint32_t(cells_x[particle])) | (expand_bits(uint32_t(cells_y[particle])) << 1);
    const float amplitude = amplitudes[particle];
    float signed_number = amplitude;
    if (morton >> 29 < 3u) {
        // 0 - x rather than -x: the negative of zero is zero, not negative zero.
        signed_number = 0.0f - amplitude;
    }
    outputs[particle] = signed_number;
}

cudaError_t launch_morton_code(const int* cells_x, const int* cells_y, const float* amplitudes,
                               float* outputs, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    morton_code<<<grid, block, 0, stream>>>(cells_x, cells_y, amplitudes, outputs, n);
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
    const int n = 1000;
    Array<int> cells_x(n), cells_y(n);
    Array<float> amplitudes(n), outputs(n);
    for (size_t i = 0; i < cells_x.count; ++i) {
        cells_x.host[i] = random_integer(0, i, 0, 65536);
        cells_y.host[i] = random_integer(1, i, 0, 65536);
        amplitudes.host[i] = random_uniform(2, i, -1.0, 1.0);
    }
    cells_x.upload();
    cells_y.upload();
    amplitudes.upload();
    outputs.upload();
    CUDA_CHECK(launch_morton_code(cells_x.device, cells_y.device, amplitudes.device, outputs.device, n));
    outputs.download();
    print_output("outputs", outputs.host, outputs.count);
    return EXIT_SUCCESS;
}
