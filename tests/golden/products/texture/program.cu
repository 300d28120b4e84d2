#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int HEIGHT = 48;
constexpr int WIDTH = 64;

// A negative index counts from the end.
__device__ inline int wrap_index_impl(int i, int count) { return i < 0 ? i + count : i; }

// Texel index of the repeated texture.
__device__ int wrap_index(int index, int size) { return (index % size + size) % size; }

// Nearest texel of each fragment, shaded; coordinates are in texels and may lie outside.
__global__ void sample_nearest(cudaTextureObject_t texture, const int* __restrict__ texels,
                               const float* __restrict__ shading, float* __restrict__ colors, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const int rows = HEIGHT;
    const int cols = WIDTH;
    const int row = wrap_index(texels[size_t(i) * 2], rows);
    const int col = wrap_index(texels[size_t(i) * 2 + 1], cols);
    colors[i] = shading[i] * tex2D<float>(texture, wrap_index_impl(col, WIDTH), wrap_index_impl(row, HEIGHT));
}

cudaError_t launch_sample_nearest(cudaTextureObject_t texture, const int* texels, const float* shading,
                                  float* colors, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sample_nearest<<<grid, block, 0, stream>>>(texture, texels, shading, colors, n);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000, height = 48, width = 64;
    Array<float> texture(height * width), shading(n), colors(n);
    Array<int> texels(n * 2);
    fill_uniform(texture, 0x2370168f, 0.0, 1.0);
    fill_integers(texels, 0x9c9df0a2, -20, 80);
    fill_uniform(shading, 0x8a2e10de, 0.2, 1.0);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t texels_;
    CUDA_CHECK(cudaMallocArray(&texels_, &format, width, height));
    CUDA_CHECK(cudaMemcpy2DToArray(texels_, 0, 0, texture.host, width * sizeof(float), width * sizeof(float),
                                   height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels_;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture_;
    CUDA_CHECK(cudaCreateTextureObject(&texture_, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_sample_nearest(texture_, texels.device, shading.device, colors.device, n));
    colors.download();
    double sum = 0.0;
    for (size_t i = 0; i < colors.count; ++i) sum += colors.host[i];
    std::printf("colors: first %g, last %g, sum %.9g\n", colors.host[0], colors.host[colors.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture_));
    CUDA_CHECK(cudaFreeArray(texels_));
    return 0;
}
