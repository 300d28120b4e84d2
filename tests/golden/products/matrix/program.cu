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

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

__device__ inline float determinant(const Mat3f& a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) +
           a.m[0][1] * (a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// The zero matrix if a is singular.
__device__ inline Mat3f inverse(const Mat3f& a) {
    const float det = determinant(a);
    if (det == 0.0f) return Mat3f{};
    Mat3f b;
    b.m[0][0] = a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1];
    b.m[0][1] = a.m[0][2] * a.m[2][1] - a.m[0][1] * a.m[2][2];
    b.m[0][2] = a.m[0][1] * a.m[1][2] - a.m[0][2] * a.m[1][1];
    b.m[1][0] = a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2];
    b.m[1][1] = a.m[0][0] * a.m[2][2] - a.m[0][2] * a.m[2][0];
    b.m[1][2] = a.m[0][2] * a.m[1][0] - a.m[0][0] * a.m[1][2];
    b.m[2][0] = a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0];
    b.m[2][1] = a.m[0][1] * a.m[2][0] - a.m[0][0] * a.m[2][1];
    b.m[2][2] = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    return b * (1.0f / det);
}

__device__ inline Mat3f transpose(const Mat3f& a) {
    Mat3f b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

// Compute the rotation matrix of a deformation for each system by Newton's polar decomposition. The
// deformation is the identity plus the displacement gradient, and each step averages the matrix with its
// inverse transpose.
__global__ void compute_rotation_matrix_of_deformation(const Mat3f* __restrict__ displacement_gradients,
                                                       int steps, Mat3f* __restrict__ orthogonal_factors,
                                                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    Mat3f orthogonal_factor = identity_Mat3f() + displacement_gradients[i];
    for (int step = 0; step < steps; ++step) {
        orthogonal_factor = 0.5f * (orthogonal_factor + transpose(inverse(orthogonal_factor)));
    }
    orthogonal_factors[i] = orthogonal_factor;
}

cudaError_t launch_compute_rotation_matrix_of_deformation(const Mat3f* displacement_gradients, int steps,
                                                          Mat3f* orthogonal_factors, int n,
                                                          cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_rotation_matrix_of_deformation<<<grid, block, 0, stream>>>(displacement_gradients, steps,
                                                                       orthogonal_factors, n);
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
    Array<Mat3f, float> displacement_gradients(n), orthogonal_factors(n);
    const int steps = 4;
    fill_uniform(displacement_gradients, 0x2370168f, -0.25, 0.25);
    CUDA_CHECK(launch_compute_rotation_matrix_of_deformation(displacement_gradients.device, steps,
                                                             orthogonal_factors.device, n));
    orthogonal_factors.download();
    double sum = 0.0;
    for (size_t i = 0; i < orthogonal_factors.count; ++i) sum += orthogonal_factors.host[i];
    std::printf("orthogonal_factors: first %g, last %g, sum %.9g\n", orthogonal_factors.host[0],
                orthogonal_factors.host[orthogonal_factors.count - 1], sum);
    return 0;
}
