#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Compute local binary patterns: one bit for each of the eight neighbors of a pixel, set if the neighbor is
// not darker. Bits are in row-major order, the highest first. Pixels beyond the border repeat the nearest
// one.
// Precondition: frame has unnormalized coordinates, cudaFilterModePoint and cudaAddressModeClamp.
__global__ void local_binary_pattern(cudaTextureObject_t frame, int* __restrict__ codes, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const int center = tex2D<int>(frame, j + 0.5f, i + 0.5f);
    int code = 0;
    for (int di = -1; di <= 1; ++di) {
        for (int dj = -1; dj <= 1; ++dj) {
            if (di != 0 || dj != 0) {
                const int row = i + di;
                const int col = j + dj;
                code = 2 * code + (tex2D<int>(frame, col + 0.5f, row + 0.5f) >= center ? 1 : 0);
            }
        }
    }
    codes[size_t(i) * cols + j] = code;
}

cudaError_t launch_local_binary_pattern(cudaTextureObject_t frame, int* codes, int rows, int cols,
                                        cudaStream_t stream = nullptr) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    local_binary_pattern<<<grid, block, 0, stream>>>(frame, codes, rows, cols);
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

int main() {
    const int rows = 18, cols = 80;
    Array<int> frame(rows * cols), codes(rows * cols);
    for (size_t i = 0; i < frame.count; ++i) frame.host[i] = pcg(0x2370168f + i) % 256;
    frame.upload();
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t texels;
    CUDA_CHECK(cudaMallocArray(&texels, &format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(texels, 0, 0, frame.host, cols * sizeof(int), cols * sizeof(int), rows,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_local_binary_pattern(texture, codes.device, rows, cols));
    codes.download();
    double sum = 0.0;
    for (size_t i = 0; i < codes.count; ++i) sum += codes.host[i];
    std::printf("codes: first %g, last %g, sum %.9g\n", double(codes.host[0]),
                double(codes.host[codes.count - 1]), sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(texels));
    return 0;
}
