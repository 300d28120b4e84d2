#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float DIAGONAL = 3.4f;

// Eliminate the lower diagonal of a tridiagonal system along each column.
__global__ void thomas_forward(const float* __restrict__ lowers, const float* __restrict__ uppers,
                               const float* __restrict__ right_sides, int length,
                               float* __restrict__ reduced_sides, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;

    float ratio = 0.0f;
    float value = 0.0f;
    for (int j = 0; j < length; ++j) {
        const size_t index = size_t(j) * cols + col;
        const float below = lowers[index];
        const float pivot = DIAGONAL - below * ratio;
        value = (right_sides[index] - below * value) / pivot;
        ratio = uppers[index] / pivot;
        reduced_sides[index] = value;
    }
}

cudaError_t launch_thomas_forward(const float* lowers, const float* uppers, const float* right_sides,
                                  int length, float* reduced_sides, int cols, cudaStream_t stream = nullptr) {
    if (cols == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (cols + block - 1) / block;
    thomas_forward<<<grid, block, 0, stream>>>(lowers, uppers, right_sides, length, reduced_sides, cols);
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
    const int cols = 32, length = 64;
    Array<float> lowers(length * cols), uppers(length * cols), right_sides(length * cols),
        reduced_sides(length * cols);
    fill_uniform(lowers, 0x2370168f, -0.9, 0.9);
    fill_uniform(uppers, 0x9c9df0a2, -0.9, 0.9);
    fill_uniform(right_sides, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_thomas_forward(lowers.device, uppers.device, right_sides.device, length,
                                     reduced_sides.device, cols));
    reduced_sides.download();
    double sum = 0.0;
    for (size_t i = 0; i < reduced_sides.count; ++i) sum += reduced_sides.host[i];
    std::printf("reduced_sides: first %g, last %g, sum %.9g\n", reduced_sides.host[0],
                reduced_sides.host[reduced_sides.count - 1], sum);
    return 0;
}
