#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// tone_map: Tone mapping of an image by Narkowicz's ACES curve with automatic exposure.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned lane = thread % 32;
    const unsigned warp = thread / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x * blockDim.y / 32 ? partial[lane] : 0.0f) : value;
}

// Relative luminance of linear sRGB (Rec. 709).
__device__ float luminance(float3 color) { return 0.2126f * color.x + 0.7152f * color.y + 0.0722f * color.z; }

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }
__device__ inline float component(float3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
__device__ inline float& component_ref(float3& a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

// Narkowicz's fit to the ACES reference rendering transform.
__device__ float filmic(float x) {
    return fminf(fmaxf(0.0f, x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f)), 1.0f);
}

// Filmic curve on each component.
__device__ float3 map_color(float3 color) {
    return make_float3(filmic(color.x), filmic(color.y), filmic(color.z));
}

// Sum of the logarithms of the luminance, for its geometric mean.
__global__ void sum_log_luminance(const float3* __restrict__ image, float* log_sum, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const float thread_total =
        y < height && x < width ? logf(0.0001f + luminance(image[size_t(y) * width + x])) : 0.0f;

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(log_sum, block_total);
}

cudaError_t launch_sum_log_luminance(const float3* image, float* log_sum, int height, int width,
                                     cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    sum_log_luminance<<<grid, block, 0, stream>>>(image, log_sum, height, width);
    return cudaGetLastError();
}

// Scale an image so that its average becomes the key, and map it to a display with a gamma.
__global__ void apply_curve(const float3* __restrict__ image, const float* __restrict__ log_sum, float key,
                            float gamma, float3* __restrict__ display, int height, int width) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width) return;

    const float num_pixels = float(height * width);
    const size_t index = size_t(y) * width + x;
    const float3 exposed = key / expf(log_sum[0] / num_pixels) * image[index];
    float3 mapped = map_color(exposed);
    for (int c = 0; c < 3; ++c) {
        component_ref(mapped, c) = powf(fminf(fmaxf(0.0f, component(mapped, c)), 1.0f), 1.0f / gamma);
    }
    display[index] = mapped;
}

cudaError_t launch_apply_curve(const float3* image, const float* log_sum, float key, float gamma,
                               float3* display, int height, int width, cudaStream_t stream) {
    if (height == 0 || width == 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    apply_curve<<<grid, block, 0, stream>>>(image, log_sum, key, gamma, display, height, width);
    return cudaGetLastError();
}

cudaError_t launch_tone_map(const float3* image, float* log_sum, float key, float gamma, float3* display,
                            int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status = cudaMemsetAsync(log_sum, 0, sizeof(*log_sum), stream)) return status;
    if (const cudaError_t status = launch_sum_log_luminance(image, log_sum, (n + 63) / 64 + 2, 80, stream))
        return status;
    if (const cudaError_t status =
            launch_apply_curve(image, log_sum, key, gamma, display, (n + 63) / 64 + 2, 80, stream))
        return status;
    return cudaSuccess;
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
    const int n = 1000, height = 18, width = 80;
    Array<float3, float> image(height * width), display(height * width);
    Array<float> log_sum(1);
    const float key = 0.1121137f, gamma = 2.2f;
    fill_uniform(image, 0x2370168f, 0.02, 4.0);
    CUDA_CHECK(launch_tone_map(image.device, log_sum.device, key, gamma, display.device, n));
    log_sum.download();
    std::printf("log_sum: %.9g\n", log_sum.host[0]);
    display.download();
    double sum = 0.0;
    for (size_t i = 0; i < display.count; ++i) sum += display.host[i];
    std::printf("display: first %g, last %g, sum %.9g\n", display.host[0], display.host[display.count - 1],
                sum);
    return 0;
}
