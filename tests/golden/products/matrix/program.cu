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

// The matrix whose product with b is the cross product of a and b.
__device__ inline Mat3f skew(float3 a) {
    return Mat3f{{{0.0f, -a.z, a.y}, {a.z, 0.0f, -a.x}, {-a.y, a.x, 0.0f}}};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

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

// Build rotation matrices from rotation vectors with Rodrigues' formula R = I + sin(t) / t K + (1 - cos(t)) /
// t^2 K^2.
__global__ void axis_angle_to_matrix(const float3* __restrict__ rotation_vectors,
                                     Mat3f* __restrict__ rotations, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat3f k = skew(rotation_vectors[i]);
    const float theta = length(rotation_vectors[i]);
    // sin(t) / t and (1 - cos(t)) / t^2, by their limits for small angles
    float a = 1.0f;
    float b = 0.5f;
    if (theta > 0.0001f) {
        float sin_theta, cos_theta;
        sincosf(theta, &sin_theta, &cos_theta);
        a = sin_theta / theta;
        b = (1.0f - cos_theta) / (theta * theta);
    }
    rotations[i] = identity_Mat3f() + a * k + b * (k * k);
}

cudaError_t launch_axis_angle_to_matrix(const float3* rotation_vectors, Mat3f* rotations, int n,
                                        cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    axis_angle_to_matrix<<<grid, block, 0, stream>>>(rotation_vectors, rotations, n);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float3, float> rotation_vectors(n);
    Array<Mat3f, float> rotations(n);
    fill_uniform(rotation_vectors, 0x2370168f, -1.8, 1.8);
    CUDA_CHECK(launch_axis_angle_to_matrix(rotation_vectors.device, rotations.device, n));
    rotations.download();
    double sum = 0.0;
    for (size_t i = 0; i < rotations.count; ++i) sum += rotations.host[i];
    std::printf("rotations: first %g, last %g, sum %.9g\n", rotations.host[0],
                rotations.host[rotations.count - 1], sum);
    return 0;
}
