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

constexpr float RATE = 0.18f;

// One step of diffusion that stops at edges by an exponential response; contrast contrast. The grid is
// periodic. The denoised value is increased by 0.4.
__global__ void edge_stopping(const float* __restrict__ field, float* __restrict__ denoised_values,
                              float contrast, int height, int width) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= height * width) return;

    const int y = tid / width;
    const int x = tid % width;
    const float here = field[y * width + x];
    float total = 0.0f;
    const float up = field[(y - 1 + height) % height * width + x];
    const float down = field[(y + 1) % height * width + x];
    const float gap = up - here;
    total += expf(-(gap * gap * contrast)) * gap;
    const float other_gap = down - here;
    total += expf(-(other_gap * other_gap * contrast)) * other_gap;
    const float left = field[y * width + (x - 1 + width) % width];
    const float right = field[y * width + (x + 1) % width];
    const float own_gap = left - here;
    total += expf(-(own_gap * own_gap * contrast)) * own_gap;
    const float second_gap = right - here;
    total += expf(-(second_gap * second_gap * contrast)) * second_gap;
    const float denoised = here + RATE * total + 0.4f;
    denoised_values[y * width + x] = denoised;
}

cudaError_t launch_edge_stopping(const float* field, float* denoised_values, float contrast, int height,
                                 int width, cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(height) * width;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    if (threads_x > 268435463) return cudaErrorInvalidValue;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    edge_stopping<<<grid, block, 0, stream>>>(field, denoised_values, contrast, height, width);
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
    Array<float> field(height * width), denoised_values(height * width);
    const float contrast = 0.6009475f;
    fill_uniform(field, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_edge_stopping(field.device, denoised_values.device, contrast, height, width));
    denoised_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < denoised_values.count; ++i) sum += denoised_values.host[i];
    std::printf("denoised_values: first %g, last %g, sum %.9g\n", denoised_values.host[0],
                denoised_values.host[denoised_values.count - 1], sum);
    return 0;
}
