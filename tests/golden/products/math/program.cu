#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_COEFFICIENTS = 12;

// Evaluate a superposition of the normalized eigenfunctions of the harmonic oscillator, with x in units of
// the oscillator length.
__global__ void hermite_function_series(const double* __restrict__ x, const double* __restrict__ coefficients,
                                        double* __restrict__ values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const double t = x[i];
    double previous = 0.7511255444649425 * exp(-0.5 * t * t);  // pi^(-1/4)
    double current = sqrt(2.0) * t * previous;
    double total = coefficients[0] * previous + coefficients[1] * current;
    for (int k = 2; k < NUM_COEFFICIENTS; ++k) {
        const double order = double(k);
        double following = sqrt(2.0 / order) * t * current;
        following -= sqrt((order - 1.0) / order) * previous;
        previous = current;
        current = following;
        total += coefficients[k] * current;
    }
    values[i] = total;
}

cudaError_t launch_hermite_function_series(const double* x, const double* coefficients, double* values, int n,
                                           cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    hermite_function_series<<<grid, block, 0, stream>>>(x, coefficients, values, n);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000;
    Array<double> x(n), coefficients(12), values(n);
    fill_uniform(x, 0x2370168f, -2.0, 2.0);
    fill_uniform(coefficients, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_hermite_function_series(x.device, coefficients.device, values.device, n));
    values.download();
    double sum = 0.0;
    for (size_t i = 0; i < values.count; ++i) sum += values.host[i];
    std::printf("values: first %g, last %g, sum %.9g\n", values.host[0], values.host[values.count - 1], sum);
    return 0;
}
