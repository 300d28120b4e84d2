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

__device__ inline Mat2f operator*(const Mat2f& a, float s) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat2f operator*(float s, const Mat2f& a) { return a * s; }
__device__ inline float trace(const Mat2f& a) { return a.m[0][0] + a.m[1][1]; }

__device__ inline Mat2f operator/(const Mat2f& a, float s) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = a.m[i][j] / s;
    }
    return c;
}

// A matrix, drawn towards zero.
__device__ Mat2f damp_of(Mat2f m) { return 0.65f * m / (1.0f + fabsf(trace(m))); }

// A number, drawn towards zero.
__device__ float damp_of(float x) { return 0.65f * x / (1.0f + fabsf(x)); }

// Combines 2 overloads of one function, damp.
__global__ void overloads(const Mat2f* __restrict__ tensors, const float* __restrict__ numbers,
                          float* __restrict__ measures, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat2f tensor = tensors[i];
    const float measure = 1.3f * trace(damp_of(tensor)) - 0.2f * damp_of(numbers[i]);
    measures[i] = measure;
}

cudaError_t launch_overloads(const Mat2f* tensors, const float* numbers, float* measures, int n,
                             cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    overloads<<<grid, block, 0, stream>>>(tensors, numbers, measures, n);
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
    Array<float> numbers(n), measures(n);
    fill_uniform(tensors, 0x2370168f, -1.0, 1.0);
    fill_uniform(numbers, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_overloads(tensors.device, numbers.device, measures.device, n));
    measures.download();
    double sum = 0.0;
    for (size_t i = 0; i < measures.count; ++i) sum += measures.host[i];
    std::printf("measures: first %g, last %g, sum %.9g\n", measures.host[0],
                measures.host[measures.count - 1], sum);
    return 0;
}
