#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

struct Quatf {
    float x, y, z, w;
};

struct Transformf {
    float3 p;
    Quatf q;
};

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 transform_point(const Transformf& a, float3 x) { return a.p + rotate(a.q, x); }

// Back-project an image of depths along the optical axis to points in the world, where camera takes camera to
// world coordinates. focal and center are (x, y) in pixels, and pixels have their centers at half-integers.
__global__ void unproject_depth(const float* __restrict__ depth, Transformf camera, float2 focal,
                                float2 center, float3* __restrict__ points, int height, int width) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || col >= width) return;

    const size_t index = size_t(row) * width + col;
    const float z = depth[index];
    const float x = (float(col) + 0.5f - center.x) / focal.x;
    const float y = (float(row) + 0.5f - center.y) / focal.y;
    points[index] = transform_point(camera, make_float3(x * z, y * z, z));
}

cudaError_t launch_unproject_depth(const float* depth, Transformf camera, float2 focal, float2 center,
                                   float3* points, int height, int width, cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    unproject_depth<<<grid, block, 0, stream>>>(depth, camera, focal, center, points, height, width);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int height = 19, width = 80;
    Array<float> depth(height * width);
    Array<float3, float> points(height * width);
    const Transformf camera = {0.4756322f,  0.49355423f, 0.48049805f, 0.48484018f,
                               0.55809855f, 0.46366137f, 0.48833814f};
    const float2 focal = make_float2(80.80758f, 81.33504f), center = make_float2(38.549957f, 32.118343f);
    fill_uniform(depth, 0x2370168f, 0.5, 5.0);
    CUDA_CHECK(launch_unproject_depth(depth.device, camera, focal, center, points.device, height, width));
    points.download();
    double sum = 0.0;
    for (size_t i = 0; i < points.count; ++i) sum += points.host[i];
    std::printf("points: first %g, last %g, sum %.9g\n", points.host[0], points.host[points.count - 1], sum);
    return 0;
}
