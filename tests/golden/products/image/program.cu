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

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// From a at t = 0 to b at t = 1.
__device__ inline float3 lerp(float3 a, float3 b, float t) { return a * (1.0f - t) + b * t; }

// Sample an image bilinearly at a position in pixels, whose centers are whole numbers. The border repeats
// outside.
__device__ float3 sample(const float3* image, float x, float y, int image_cols, int image_rows) {
    const int col = int(floorf(x));
    const int row = int(floorf(y));
    const float fx = x - float(col);
    const float fy = y - float(row);
    const int left = min(max(col, 0), image_cols - 1);
    const int right = min(max(col + 1, 0), image_cols - 1);
    const int top = min(max(row, 0), image_rows - 1);
    const int bottom = min(max(row + 1, 0), image_rows - 1);
    const int row_start = top * image_cols;
    const float3 upper = lerp(image[row_start + left], image[row_start + right], fx);
    const int bottom_row_start = bottom * image_cols;
    const float3 lower = lerp(image[bottom_row_start + left], image[bottom_row_start + right], fx);
    return lerp(upper, lower, fy);
}

// Undistort an image with bilinear sampling: the source of a pixel at radius r is at radius r (1 + k1 r^2 +
// k2 r^4), in units of the focal length `focal` in pixels.
__global__ void correct_lens_distortion(const float3* __restrict__ image, float focal, float k1, float k2,
                                        float3* __restrict__ warped, int height, int width) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || col >= width) return;

    const float center_x = 0.5f * float(width - 1);
    const float center_y = 0.5f * float(height - 1);
    const float dx = (float(col) - center_x) / focal;
    const float dy = (float(row) - center_y) / focal;
    const float r2 = dx * dx + dy * dy;
    const float scale = focal * (1.0f + r2 * (k1 + r2 * k2));
    warped[row * width + col] = sample(image, center_x + scale * dx, center_y + scale * dy, width, height);
}

cudaError_t launch_correct_lens_distortion(const float3* image, float focal, float k1, float k2,
                                           float3* warped, int height, int width,
                                           cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    if (int64_t(height) * width > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    correct_lens_distortion<<<grid, block, 0, stream>>>(image, focal, k1, k2, warped, height, width);
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
    const int height = 19, width = 96;
    Array<float3, float> image(height * width), warped(height * width);
    const float focal = 90.25288f, k1 = 0.01161516f, k2 = 0.00048474802f;
    fill_uniform(image, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_correct_lens_distortion(image.device, focal, k1, k2, warped.device, height, width));
    warped.download();
    double sum = 0.0;
    for (size_t i = 0; i < warped.count; ++i) sum += warped.host[i];
    std::printf("warped: first %g, last %g, sum %.9g\n", warped.host[0], warped.host[warped.count - 1], sum);
    return 0;
}
