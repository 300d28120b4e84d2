#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int COLS = 80;

// Convert colours from RGB to HSL; hue is from zero to one.
__global__ void convert_rgb_to_hsl(const float3* __restrict__ rgb, float3* __restrict__ hsl, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int col = threadIdx.x;
    if (row >= rows) return;

    const size_t index = size_t(row) * COLS + col;
    const float r = rgb[index].x;
    const float g = rgb[index].y;
    const float b = rgb[index].z;
    const float high = fmaxf(r, fmaxf(g, b));
    const float low = fminf(r, fminf(g, b));
    const float chroma = high - low;

    float sextant = 0.0f;
    if (chroma > 0.0f) {
        if (high == r) {
            sextant = (g - b) / chroma;
            if (g < b) {
                sextant += 6.0f;
            }
        } else if (high == g) {
            sextant = (b - r) / chroma + 2.0f;
        } else {
            sextant = (r - g) / chroma + 4.0f;
        }
    }
    const float hue = sextant / 6.0f;
    const float lightness = 0.5f * (high + low) / 255.0f;
    float saturation = 0.0f;
    if (chroma > 0.0f) {
        saturation = chroma / 255.0f / (1.0f - fabsf(2.0f * lightness - 1.0f));
    }
    hsl[index] = make_float3(hue, saturation, lightness);
}

cudaError_t launch_convert_rgb_to_hsl(const float3* rgb, float3* hsl, int rows,
                                      cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    // A block spans the last dimension.
    const dim3 block(COLS, 2);
    const unsigned grid = (rows + block.y - 1) / block.y;
    convert_rgb_to_hsl<<<grid, block, 0, stream>>>(rgb, hsl, rows);
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

int main() {
    const int rows = 17;
    Array<float3, float> rgb(rows * 80), hsl(rows * 80);
    for (size_t i = 0; i < rgb.count; ++i) rgb.host[i] = pcg(0x2370168f + i) % 256;
    rgb.upload();
    CUDA_CHECK(launch_convert_rgb_to_hsl(rgb.device, hsl.device, rows));
    hsl.download();
    double sum = 0.0;
    for (size_t i = 0; i < hsl.count; ++i) sum += hsl.host[i];
    std::printf("hsl: first %g, last %g, sum %.9g\n", hsl.host[0], hsl.host[hsl.count - 1], sum);
    return 0;
}
