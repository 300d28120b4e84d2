#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Compute the steering angle in radians by which each vehicle, at its pose (x, y, heading), drives along an
// arc to its target point (pure pursuit), clamped to max_steering in magnitude. A target must not coincide
// with the position.
__global__ void steer_to_target(const float3* __restrict__ poses, const float2* __restrict__ targets,
                                float wheelbase, float max_steering, float* __restrict__ steering, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 pose = poses[i];
    const float2 target = targets[i];
    const float dx = target.x - pose.x;
    const float dy = target.y - pose.y;
    const float heading = pose.z;
    float sin_heading, cos_heading;
    sincosf(heading, &sin_heading, &cos_heading);
    const float sideways = cos_heading * dy - sin_heading * dx;
    const float angle = atanf(2.0f * wheelbase * sideways / (dx * dx + dy * dy));
    steering[i] = fminf(fmaxf(-max_steering, angle), max_steering);
}

cudaError_t launch_steer_to_target(const float3* poses, const float2* targets, float wheelbase,
                                   float max_steering, float* steering, int n,
                                   cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    steer_to_target<<<grid, block, 0, stream>>>(poses, targets, wheelbase, max_steering, steering, n);
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float3, float> poses(n);
    Array<float2, float> targets(n);
    Array<float> steering(n);
    const float wheelbase = 2.4201894f, max_steering = 0.5854996f;
    fill_uniform(poses, 0x2370168f, -0.5, 0.5);
    fill_uniform(targets, 0x9c9df0a2, 1.5, 4.0);
    CUDA_CHECK(
        launch_steer_to_target(poses.device, targets.device, wheelbase, max_steering, steering.device, n));
    steering.download();
    double sum = 0.0;
    for (size_t i = 0; i < steering.count; ++i) sum += steering.host[i];
    std::printf("steering: first %g, last %g, sum %.9g\n", steering.host[0],
                steering.host[steering.count - 1], sum);
    return 0;
}
