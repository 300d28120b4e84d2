#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Mat2f {
    float m[2][2];
};

// Sum of products of elements.
__device__ inline float double_dot(const Mat2f& a, const Mat2f& b) {
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) sum = fmaf(a.m[i][j], b.m[i][j], sum);
    }
    return sum;
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }

// Half the squared entries of a matrix.
__device__ float energy_of(Mat2f m) { return 0.5f * double_dot(m, m); }

// Half the square of a vector.
__device__ float energy_of(float2 v) { return 0.5f * dot(v, v); }

// Half the square of a number.
__device__ float energy_of(float x) { return 0.5f * x * x; }

// Combines 3 overloads of one function, energy.
__global__ void overloads(const Mat2f* __restrict__ tensors, const float2* __restrict__ directions,
                          const float* __restrict__ numbers, float* __restrict__ measures, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat2f tensor = tensors[i];
    measures[i] = 1.1f * energy_of(tensor) + 1.5f * energy_of(directions[i]) + 0.2f * energy_of(numbers[i]);
}

cudaError_t launch_overloads(const Mat2f* tensors, const float2* directions, const float* numbers,
                             float* measures, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    overloads<<<grid, block, 0, stream>>>(tensors, directions, numbers, measures, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Mat2f, float> tensors(n);
    Array<float2, float> directions(n);
    Array<float> numbers(n), measures(n);
    fill_uniform(tensors, 0x2370168f, -1.0, 1.0);
    fill_uniform(directions, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(numbers, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_overloads(tensors.device, directions.device, numbers.device, measures.device, n));
    measures.download();
    double sum = 0.0;
    for (size_t i = 0; i < measures.count; ++i) sum += measures.host[i];
    std::printf("measures: first %g, last %g, sum %.9g\n", measures.host[0],
                measures.host[measures.count - 1], sum);
    return 0;
}
