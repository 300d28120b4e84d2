#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float BACKGROUND_OFFSET = 0.06f;

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

// Residual from target, opacity, calibrated_overlay and calibrated_background.
__device__ float compute_residual(float target, float opacity, float calibrated_overlay,
                                  float calibrated_background) {
    return target - (opacity * (calibrated_overlay * calibrated_background) +
                     (1.0f - opacity) * calibrated_background);
}

// A layer blended (multiply) with another, by its opacity. The overlay is calibrated first. side chooses
// between two arrays. The background is calibrated first. The composite is subtracted from the target. The
// result is multiplied by factor.
__global__ void composite(const float* __restrict__ overlays, const float* __restrict__ overlay_gain_share,
                          const int* __restrict__ sides, const float* __restrict__ backgrounds,
                          const float* __restrict__ right_backgrounds, const float* __restrict__ opacities,
                          const float* __restrict__ targets, float overlay_offset, float2 overlay_gain_range,
                          float background_gain, float factor, int height, int width,
                          float* __restrict__ composites) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= height * width) return;

    const int y = cell / width;
    const int x = cell % width;
    const int index = y * width + x;
    const int side = sides[index];
    const float overlay = overlays[index];
    const float chosen_background = side == 0 ? backgrounds[index] : right_backgrounds[index];
    const float target = targets[index];
    const float overlay_gain = lerp(overlay_gain_range.x, overlay_gain_range.y, overlay_gain_share[index]);
    const float calibrated_background = (chosen_background - BACKGROUND_OFFSET) * background_gain;
    const float calibrated_overlay = (overlay - overlay_offset) * overlay_gain;
    const float residual =
        compute_residual(target, opacities[index], calibrated_overlay, calibrated_background);
    composites[index] = factor * residual;
}

cudaError_t launch_composite(const float* overlays, const float* overlay_gain_share, const int* sides,
                             const float* backgrounds, const float* right_backgrounds, const float* opacities,
                             const float* targets, float overlay_offset, float2 overlay_gain_range,
                             float background_gain, float factor, int height, int width, float* composites,
                             cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(height) * width;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    composite<<<grid, block, 0, stream>>>(overlays, overlay_gain_share, sides, backgrounds, right_backgrounds,
                                          opacities, targets, overlay_offset, overlay_gain_range,
                                          background_gain, factor, height, width, composites);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
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
    const int height = 125, width = 8;
    Array<float> overlays(height * width), overlay_gain_share(height * width), backgrounds(height * width),
        right_backgrounds(height * width), opacities(height * width), targets(height * width),
        composites(height * width);
    Array<int> sides(height * width);
    const float overlay_offset = 0.050790984f, background_gain = 0.68709344f, factor = 0.5712592f;
    const float2 overlay_gain_range = make_float2(0.693297f, 0.7748143f);
    fill_uniform(overlays, 0x2370168f, 0.0, 1.0);
    fill_uniform(overlay_gain_share, 0x9c9df0a2, 0.0, 1.0);
    for (size_t i = 0; i < sides.count; ++i) sides.host[i] = pcg(0x8a2e10de + i) % 2;
    sides.upload();
    fill_uniform(backgrounds, 0x86a00a5c, 0.0, 1.0);
    fill_uniform(right_backgrounds, 0x14cd5bc2, 0.0, 1.0);
    fill_uniform(opacities, 0xa44fd9fd, 0.2, 0.9);
    fill_uniform(targets, 0xf07bd7fc, -1.0, 1.0);
    CUDA_CHECK(launch_composite(overlays.device, overlay_gain_share.device, sides.device, backgrounds.device,
                                right_backgrounds.device, opacities.device, targets.device, overlay_offset,
                                overlay_gain_range, background_gain, factor, height, width,
                                composites.device));
    composites.download();
    double sum = 0.0;
    for (size_t i = 0; i < composites.count; ++i) sum += composites.host[i];
    std::printf("composites: first %g, last %g, sum %.9g\n", composites.host[0],
                composites.host[composites.count - 1], sum);
    return 0;
}
