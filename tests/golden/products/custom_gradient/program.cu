#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }

// Vector that is the more shortened, the longer it is.
__device__ float2 evaluate_squash(float2 v) { return v / (1.0f + dot(v, v)); }

// For each element, a vector that is the more shortened, the longer it is, with its own gradient.
__global__ void vector_fields(const float2* __restrict__ headings, float2* __restrict__ mapped_vectors,
                              int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float2 heading = headings[i];
    const float2 mapped = evaluate_squash(heading);
    mapped_vectors[i] = mapped;
}

cudaError_t launch_vector_fields(const float2* headings, float2* mapped_vectors, int n,
                                 cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    vector_fields<<<grid, block, 0, stream>>>(headings, mapped_vectors, n);
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

void fill_uniform(Array<float2, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float2, float> headings(n), mapped_vectors(n);
    fill_uniform(headings, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_vector_fields(headings.device, mapped_vectors.device, n));
    mapped_vectors.download();
    double sum = 0.0;
    for (size_t i = 0; i < mapped_vectors.count; ++i) sum += mapped_vectors.host[i];
    std::printf("mapped_vectors: first %g, last %g, sum %.9g\n", mapped_vectors.host[0],
                mapped_vectors.host[mapped_vectors.count - 1], sum);
    return 0;
}
