#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Mat3f {
    float m[3][3];
};

constexpr float SHIFT = 2.8f;

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) { return a * s; }

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

// Sum of products of elements.
__device__ inline float double_dot(const Mat3f& a, const Mat3f& b) {
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum = fmaf(a.m[i][j], b.m[i][j], sum);
    }
    return sum;
}

__device__ inline Mat3f transpose(const Mat3f& a) {
    Mat3f b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

__device__ inline Mat3f operator/(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] / s;
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

__device__ inline Mat3f operator-(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] - b.m[i][j];
    }
    return c;
}

// Compute the condition number of each system in the Frobenius norm. Take the inverse matrix by the iteration
// of Newton and Schulz. The matrix is the coefficients plus a shift of the diagonal.
__global__ void compute_frobenius_condition(const Mat3f* __restrict__ coefficient_matrices, int steps,
                                            float* __restrict__ condition_numbers, int n) {
    const int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= n) return;

    const Mat3f coefficients = coefficient_matrices[system];
    const Mat3f system_matrix = coefficients + SHIFT * identity_Mat3f();
    const float scale = double_dot(system_matrix, system_matrix);
    Mat3f inverse = transpose(system_matrix) / scale;
    for (int step = 0; step < steps; ++step) {
        inverse = inverse * (2.0f * identity_Mat3f() - system_matrix * inverse);
    }
    const float condition_number =
        sqrtf(double_dot(system_matrix, system_matrix) * double_dot(inverse, inverse));
    condition_numbers[system] = condition_number;
}

cudaError_t launch_compute_frobenius_condition(const Mat3f* coefficient_matrices, int steps,
                                               float* condition_numbers, int n,
                                               cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_frobenius_condition<<<grid, block, 0, stream>>>(coefficient_matrices, steps, condition_numbers,
                                                            n);
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

void fill_uniform(Array<Mat3f, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Mat3f, float> coefficient_matrices(n);
    Array<float> condition_numbers(n);
    const int steps = 7;
    fill_uniform(coefficient_matrices, 0x2370168f, -0.5, 0.5);
    CUDA_CHECK(
        launch_compute_frobenius_condition(coefficient_matrices.device, steps, condition_numbers.device, n));
    condition_numbers.download();
    double sum = 0.0;
    for (size_t i = 0; i < condition_numbers.count; ++i) sum += condition_numbers.host[i];
    std::printf("condition_numbers: first %g, last %g, sum %.9g\n", condition_numbers.host[0],
                condition_numbers.host[condition_numbers.count - 1], sum);
    return 0;
}
