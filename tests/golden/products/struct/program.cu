#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatf {
    float x, y, z, w;
};

struct Mat3f {
    float m[3][3];
};

// Anisotropic Gaussian, with standard deviations along rotated axes.
struct Gaussian {
    float3 center;
    float3 scale;
    Quatf rotation;
};

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline Mat3f rotation_matrix(Quatf q) {
    const float3 a = rotate(q, make_float3(1.0f, 0.0f, 0.0f));
    const float3 b = rotate(q, make_float3(0.0f, 1.0f, 0.0f));
    const float3 c = rotate(q, make_float3(0.0f, 0.0f, 1.0f));
    return Mat3f{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

__device__ inline Mat3f diagonal_matrix(float3 a) {
    return Mat3f{{{a.x, 0.0f, 0.0f}, {0.0f, a.y, 0.0f}, {0.0f, 0.0f, a.z}}};
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

__device__ inline Mat3f transpose(const Mat3f& a) {
    Mat3f b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

// Compute the covariances of Gaussians from their scales and rotations, and the volumes of their one-sigma
// ellipsoids.
__global__ void splat_covariances(const Gaussian* __restrict__ gaussians, Mat3f* __restrict__ covariances,
                                  float* __restrict__ volumes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Gaussian gaussian = gaussians[i];
    const Mat3f axes = rotation_matrix(normalize(gaussian.rotation)) * diagonal_matrix(gaussian.scale);
    covariances[i] = axes * transpose(axes);
    const float3 scale = gaussian.scale;
    volumes[i] = 4.0f / 3.0f * 3.1415927f * scale.x * scale.y * scale.z;
}

cudaError_t launch_splat_covariances(const Gaussian* gaussians, Mat3f* covariances, float* volumes, int n,
                                     cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    splat_covariances<<<grid, block, 0, stream>>>(gaussians, covariances, volumes, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
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
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<Gaussian> gaussians(n);
    Array<Mat3f, float> covariances(n);
    Array<float> volumes(n);
    for (size_t i = 0; i < gaussians.count; ++i) {
        Gaussian& element = gaussians.host[i];
        const unsigned counter = 0x2370168f + 10 * i;
        element.center =
            make_float3(random_uniform(counter, -1.0, 1.0), random_uniform(counter + 1, -1.0, 1.0),
                        random_uniform(counter + 2, -1.0, 1.0));
        element.scale =
            make_float3(random_uniform(counter + 3, 0.05, 0.4), random_uniform(counter + 4, 0.05, 0.4),
                        random_uniform(counter + 5, 0.05, 0.4));
        element.rotation.x = random_uniform(counter + 6, -0.6, 0.6);
        element.rotation.y = random_uniform(counter + 7, -0.6, 0.6);
        element.rotation.z = random_uniform(counter + 8, -0.6, 0.6);
        element.rotation.w = random_uniform(counter + 9, -0.6, 0.6);
    }
    gaussians.upload();
    CUDA_CHECK(launch_splat_covariances(gaussians.device, covariances.device, volumes.device, n));
    print_output("covariances", covariances);
    print_output("volumes", volumes);
    return 0;
}
