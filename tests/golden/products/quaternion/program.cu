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

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Compute the angular deviation of each body as the angle of the relative orientation.
__global__ void compute_geodesic_deviation(const Quatf* __restrict__ relative_orientations,
                                           float* __restrict__ angular_deviations, int n) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n) return;

    const Quatf relative_orientation = normalize(relative_orientations[b]);
    const float half_sine =
        length(make_float3(relative_orientation.x, relative_orientation.y, relative_orientation.z));
    const float angular_deviation = 2.0f * atan2f(half_sine, fabsf(relative_orientation.w));
    angular_deviations[b] = angular_deviation;
}

cudaError_t launch_compute_geodesic_deviation(const Quatf* relative_orientations, float* angular_deviations,
                                              int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_geodesic_deviation<<<grid, block, 0, stream>>>(relative_orientations, angular_deviations, n);
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

void fill_uniform(Array<Quatf, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Quatf, float> relative_orientations(n);
    Array<float> angular_deviations(n);
    fill_uniform(relative_orientations, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_compute_geodesic_deviation(relative_orientations.device, angular_deviations.device, n));
    angular_deviations.download();
    double sum = 0.0;
    for (size_t i = 0; i < angular_deviations.count; ++i) sum += angular_deviations.host[i];
    std::printf("angular_deviations: first %g, last %g, sum %.9g\n", angular_deviations.host[0],
                angular_deviations.host[angular_deviations.count - 1], sum);
    return 0;
}
