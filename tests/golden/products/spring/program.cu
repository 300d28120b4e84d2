#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float STIFFNESS = 2.2f;

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }

// Moment of a hinge from its cosine, softened.
// Precondition: elements of corners lie in [0, points).
__global__ void bending(const float2* __restrict__ positions, const int3* __restrict__ corners,
                        float* __restrict__ moments, float rest_cosine, int points) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= points) return;

    const int3 ends = corners[h];
    const int c = ends.z;
    const int a = ends.x;
    const int b = ends.y;
    const float2 r = positions[c];
    const float2 p = positions[a];
    const float2 q = positions[b];
    const float2 other_b = r - q;
    const float2 other_a = p - q;
    const float cosine = dot(other_a, other_b) / (length(other_a) * length(other_b) + 0.08f);
    const float moment = STIFFNESS * (cosine - rest_cosine);
    moments[h] = moment;
}

cudaError_t launch_bending(const float2* positions, const int3* corners, float* moments, float rest_cosine,
                           int points, cudaStream_t stream = nullptr) {
    if (points == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (points + block - 1) / block;
    bending<<<grid, block, 0, stream>>>(positions, corners, moments, rest_cosine, points);
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
    const int points = 1000;
    Array<float2, float> positions(points);
    Array<int3, int> corners(points);
    Array<float> moments(points);
    const float rest_cosine = -0.3725022f;
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < corners.count; ++i) corners.host[i] = pcg(0x9c9df0a2 + i) % points;
    corners.upload();
    CUDA_CHECK(launch_bending(positions.device, corners.device, moments.device, rest_cosine, points));
    moments.download();
    double sum = 0.0;
    for (size_t i = 0; i < moments.count; ++i) sum += moments.host[i];
    std::printf("moments: first %g, last %g, sum %.9g\n", moments.host[0], moments.host[moments.count - 1],
                sum);
    return 0;
}
