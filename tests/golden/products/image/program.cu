#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int height = 125, width = 8;
    Array<float> overlays(height * width), overlay_gain_share(height * width), backgrounds(height * width),
        right_backgrounds(height * width), opacities(height * width), targets(height * width),
        composites(height * width);
    Array<int> sides(height * width);
    const float overlay_offset = random_uniform(7, 0, 0.0, 0.1);
    const float2 overlay_gain_range =
        make_float2(random_uniform(8, 0, 0.5, 0.95), random_uniform(8, 1, 0.5, 0.95));
    const float background_gain = random_uniform(9, 0, 0.5, 0.95);
    const float factor = random_uniform(10, 0, 0.2, 5.0);
    for (size_t i = 0; i < overlays.count; ++i) {
        overlays.host[i] = random_uniform(0, i, 0.0, 1.0);
        overlay_gain_share.host[i] = random_uniform(1, i, 0.0, 1.0);
        sides.host[i] = random_integer(2, i, 0, 2);
        backgrounds.host[i] = random_uniform(3, i, 0.0, 1.0);
        right_backgrounds.host[i] = random_uniform(4, i, 0.0, 1.0);
        opacities.host[i] = random_uniform(5, i, 0.2, 0.9);
        targets.host[i] = random_uniform(6, i, -1.0, 1.0);
    }
    for (auto* array : {&overlays, &overlay_gain_share, &backgrounds, &right_backgrounds, &opacities,
                        &targets, &composites})
        array->upload();
    sides.upload();
    CUDA_CHECK(launch_composite(overlays.device, overlay_gain_share.device, sides.device, backgrounds.device,
                                right_backgrounds.device, opacities.device, targets.device, overlay_offset,
                                overlay_gain_range, background_gain, factor, height, width,
                                composites.device));
    composites.download();
    print_output("composites", composites.host, composites.count);
    return EXIT_SUCCESS;
}
