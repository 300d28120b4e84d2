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

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline Mat3f matrix_from_columns(float3 a, float3 b, float3 c) {
    return Mat3f{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

// Compute the orthonormal factor of a deformation for each system by the Gram-Schmidt process. The
// deformation gradient is the identity plus the displacement gradient, and its first column keeps its
// direction.
__global__ void compute_orthonormal_factor_of_deformation(const Mat3f* __restrict__ displacement_gradients,
                                                          Mat3f* __restrict__ orthogonal_factors, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat3f deformation = identity_Mat3f() + displacement_gradients[i];
    const float3 column_a = make_float3(deformation.m[0][0], deformation.m[1][0], deformation.m[2][0]);
    const float3 column_b = make_float3(deformation.m[0][1], deformation.m[1][1], deformation.m[2][1]);
    const float3 column_c = make_float3(deformation.m[0][2], deformation.m[1][2], deformation.m[2][2]);
    const float3 first = normalize(column_a);
    const float3 second = normalize(column_b - dot(first, column_b) * first);
    const float3 orthogonal = column_c - dot(first, column_c) * first;
    orthogonal_factors[i] =
        matrix_from_columns(first, second, normalize(orthogonal - dot(second, orthogonal) * second));
}

cudaError_t launch_compute_orthonormal_factor_of_deformation(const Mat3f* displacement_gradients,
                                                             Mat3f* orthogonal_factors, int n,
                                                             cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_orthonormal_factor_of_deformation<<<grid, block, 0, stream>>>(displacement_gradients,
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
    fill_uniform(displacement_gradients, 0x2370168f, -0.25, 0.25);
    CUDA_CHECK(launch_compute_orthonormal_factor_of_deformation(displacement_gradients.device,
                                                                orthogonal_factors.device, n));
    orthogonal_factors.download();
    double sum = 0.0;
    for (size_t i = 0; i < orthogonal_factors.count; ++i) sum += orthogonal_factors.host[i];
    std::printf("orthogonal_factors: first %g, last %g, sum %.9g\n", orthogonal_factors.host[0],
                orthogonal_factors.host[orthogonal_factors.count - 1], sum);
    return 0;
}
