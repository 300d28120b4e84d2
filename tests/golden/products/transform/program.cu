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

struct Transformf {
    float3 p;
    Quatf q;
};

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length_squared(float2 a) { return dot(a, a); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
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

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }
__device__ inline float2 multiply_components(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

// Apply radial distortion to normalized image coordinates.
__device__ float2 distort(float2 p, float k1, float k2) {
    const float r2 = length_squared(p);
    return (1.0f + r2 * (k1 + r2 * k2)) * p;
}

// Project world points to pixels with a pinhole camera and radial distortion, where cam_pose takes world to
// camera coordinates.
__global__ void pinhole_project(const float3* __restrict__ points, Transformf cam_pose, float2 focal,
                                float2 center, float k1, float k2, float2* __restrict__ pixels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Quatf q = normalize(cam_pose.q);
    const float3 p = rotate(q, points[i]) + cam_pose.p;
    const float2 uv = distort(make_float2(p.x, p.y) / p.z, k1, k2);
    pixels[i] = multiply_components(focal, uv) + center;
}

cudaError_t launch_pinhole_project(const float3* points, Transformf cam_pose, float2 focal, float2 center,
                                   float k1, float k2, float2* pixels, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    pinhole_project<<<grid, block, 0, stream>>>(points, cam_pose, focal, center, k1, k2, pixels, n);
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
    Array<float3, float> points(n);
    Array<float2, float> pixels(n);
    const Transformf cam_pose = {3.256322f, 3.4355423f, 3.3049803f, 3.2565339f,
                                 3.975236f, 3.0487585f, 3.2908506f};
    const float2 focal = make_float2(408.0758f, 413.35037f), center = make_float2(274.19983f, 248.47337f);
    const float k1 = -0.03748647f, k2 = 0.01236911f;
    fill_uniform(points, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_pinhole_project(points.device, cam_pose, focal, center, k1, k2, pixels.device, n));
    pixels.download();
    double sum = 0.0;
    for (size_t i = 0; i < pixels.count; ++i) sum += pixels.host[i];
    std::printf("pixels: first %g, last %g, sum %.9g\n", pixels.host[0], pixels.host[pixels.count - 1], sum);
    return 0;
}
