#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int NUM_CORNERS = 33;

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length_squared(float2 a) { return dot(a, a); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

// Return the closest point of the segment from start to end.
__device__ float2 closest_on_segment(float2 point, float2 start, float2 end) {
    const float2 along = end - start;
    const float t = dot(point - start, along) / length_squared(along);
    return start + fminf(fmaxf(0.0f, t), 1.0f) * along;
}

// Compute the distance to the nearest segment of a polyline.
__global__ void polyline_distance(const float2* __restrict__ points, const float2* __restrict__ corners,
                                  float* __restrict__ distances, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float nearest = INFINITY;
    for (int s = 0; s < NUM_CORNERS - 1; ++s) {
        const float2 foot = closest_on_segment(points[i], corners[s], corners[s + 1]);
        nearest = fminf(nearest, length_squared(points[i] - foot));
    }
    distances[i] = sqrtf(nearest);
}

cudaError_t launch_polyline_distance(const float2* points, const float2* corners, float* distances, int n,
                                     cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    polyline_distance<<<grid, block, 0, stream>>>(points, corners, distances, n);
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
    Array<float2, float> points(n), corners(33);
    Array<float> distances(n);
    fill_uniform(points, 0x2370168f, -2.0, 2.0);
    fill_uniform(corners, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_polyline_distance(points.device, corners.device, distances.device, n));
    distances.download();
    double sum = 0.0;
    for (size_t i = 0; i < distances.count; ++i) sum += distances.host[i];
    std::printf("distances: first %g, last %g, sum %.9g\n", distances.host[0],
                distances.host[distances.count - 1], sum);
    return 0;
}
