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

__constant__ int pattern[64];

// Sum of squared differences between a pattern and the image at every position.
__global__ void match_template_ssd(cudaTextureObject_t frame, int* __restrict__ scores, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    int total = 0;
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < 8; ++b) {
            const int difference = tex2D<int>(frame, j + b, i + a) - pattern[a * 8 + b];
            total += difference * difference;
        }
    }
    scores[i * cols + j] = total;
}

cudaError_t launch_match_template_ssd(cudaTextureObject_t frame, int* scores, int rows, int cols,
                                      cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    match_template_ssd<<<grid, block, 0, stream>>>(frame, scores, rows, cols);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int rows = 13, cols = 80;
    Array<int> frame((rows + 8) * (cols + 8)), scores(rows * cols), pattern_(8 * 8);
    fill_integers(frame, 0x2370168f, 256);
    fill_integers(pattern_, 0x9c9df0a2, 256);
    CUDA_CHECK(cudaMemcpyToSymbol(pattern, pattern_.host, sizeof(pattern)));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t texels;
    CUDA_CHECK(cudaMallocArray(&texels, &format, cols + 8, rows + 8));
    CUDA_CHECK(cudaMemcpy2DToArray(texels, 0, 0, frame.host, (cols + 8) * sizeof(int),
                                   (cols + 8) * sizeof(int), rows + 8, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_match_template_ssd(texture, scores.device, rows, cols));
    scores.download();
    double sum = 0.0;
    for (size_t i = 0; i < scores.count; ++i) sum += scores.host[i];
    std::printf("scores: first %g, last %g, sum %.9g\n", double(scores.host[0]),
                double(scores.host[scores.count - 1]), sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(texels));
    return 0;
}
