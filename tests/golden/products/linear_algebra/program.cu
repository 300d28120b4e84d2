#include <cuda_runtime.h>
#include <algorithm>
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

constexpr double SQRT_3_FLOAT64 = 1.7320508075688772;

// Compute the kernel value of each entry by Matérn's covariance of the distance. The squared distance is
// computed between rows of both matrices.
__global__ void matern_entry(const double* __restrict__ left, const double* __restrict__ right_rows,
                             double* __restrict__ gram_entries, int num_inner, int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;

    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        double squared_distance = 0.0;
        for (int mid = 0; mid < num_inner; ++mid) {
            const double gap = left[y * num_inner + mid] - right_rows[x * num_inner + mid];
            squared_distance += gap * gap;
        }
        const double reach = SQRT_3_FLOAT64 * sqrt(squared_distance) / 2.5;
        const double gram_entry = (1.0 + reach) * exp(-reach);
        gram_entries[y * width + x] = gram_entry;
    }
}

cudaError_t launch_matern_entry(const double* left, const double* right_rows, double* gram_entries,
                                int num_inner, int height, int width, cudaStream_t stream = nullptr) {
    if (height == 0 || width == 0) return cudaSuccess;
    if (int64_t(height) * num_inner > INT_MAX || int64_t(width) * num_inner > INT_MAX ||
        int64_t(height) * width > INT_MAX)
        return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x,
                    std::min<unsigned>((height + block.y - 1) / block.y, 65535));
    matern_entry<<<grid, block, 0, stream>>>(left, right_rows, gram_entries, num_inner, height, width);
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

// A uniform number made of 53 random bits.

void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int height = 11, width = 96, inner = 24;
    Array<double> left(height * inner), right_rows(width * inner), gram_entries(height * width);
    fill_uniform(left, 0x2370168f, -1.0, 1.0);
    fill_uniform(right_rows, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(
        launch_matern_entry(left.device, right_rows.device, gram_entries.device, inner, height, width));
    gram_entries.download();
    double sum = 0.0;
    for (size_t i = 0; i < gram_entries.count; ++i) sum += gram_entries.host[i];
    std::printf("gram_entries: first %g, last %g, sum %.9g\n", gram_entries.host[0],
                gram_entries.host[gram_entries.count - 1], sum);
    return 0;
}
