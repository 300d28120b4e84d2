#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

struct Mat3f {
    float m[3][3];
};

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f operator*(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < 3; ++k) sum = fmaf(a.m[i][k], b.m[k][j], sum);
            c.m[i][j] = sum;
        }
    }
    return c;
}

__device__ inline Mat3f operator/(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] / s;
    }
    return c;
}

__device__ inline Mat3f& operator+=(Mat3f& a, const Mat3f& b) { return a = a + b; }

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

// Evaluate the matrix exponential of each system by its Taylor series. It adds up `terms` terms, the first of
// them the identity.
__global__ void compute_matrix_exponential_by_taylor_series(const Mat3f* __restrict__ coefficient_matrices,
                                                            int terms, Mat3f* __restrict__ exponentials,
                                                            int n) {
    const int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= n) return;

    const Mat3f coefficients = coefficient_matrices[system];
    Mat3f exponential = identity_Mat3f();
    Mat3f term = identity_Mat3f();
    for (int order = 1; order < terms; ++order) {
        term = term * coefficients / float(order);
        exponential += term;
    }
    exponentials[system] = exponential;
}

cudaError_t launch_compute_matrix_exponential_by_taylor_series(const Mat3f* coefficient_matrices, int terms,
                                                               Mat3f* exponentials, int n,
                                                               cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_matrix_exponential_by_taylor_series<<<grid, block, 0, stream>>>(coefficient_matrices, terms,
                                                                            exponentials, n);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
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

void fill_uniform(Array<Mat3f, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Mat3f, float> coefficient_matrices(n), exponentials(n);
    const int terms = 7;
    fill_uniform(coefficient_matrices, 0x2370168f, -0.5, 0.5);
    CUDA_CHECK(launch_compute_matrix_exponential_by_taylor_series(coefficient_matrices.device, terms,
                                                                  exponentials.device, n));
    exponentials.download();
    double sum = 0.0;
    for (size_t i = 0; i < exponentials.count; ++i) sum += exponentials.host[i];
    std::printf("exponentials: first %g, last %g, sum %.9g\n", exponentials.host[0],
                exponentials.host[exponentials.count - 1], sum);
    return 0;
}
