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
    const int row_start = y * width;
    const int index = row_start + x;
    const float here = field[index];
    float total = 0.0f;
    const float up = field[(y - 1 + height) % height * width + x];
    const float down = field[(y + 1) % height * width + x];
    const float gap = up - here;
    total += expf(-(gap * gap * contrast)) * gap;
    const float other_gap = down - here;
    total += expf(-(other_gap * other_gap * contrast)) * other_gap;
    const float left = field[row_start + (x - 1 + width) % width];
    const float right = field[row_start + (x + 1) % width];
    const float own_gap = left - here;
    total += expf(-(own_gap * own_gap * contrast)) * own_gap;
    const float second_gap = right - here;
    total += expf(-(second_gap * second_gap * contrast)) * second_gap;
    const float denoised = here + RATE * total + 0.4f;
    denoised_values[index] = denoised;
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
    Array<float> field(height * width), denoised_values(height * width);
    const float contrast = random_uniform(2, 0, 0.5, 3.0);
    for (size_t i = 0; i < field.count; ++i) field.host[i] = random_uniform(0, i, 0.0, 1.0);
    field.upload();
    denoised_values.upload();
    CUDA_CHECK(launch_edge_stopping(field.device, denoised_values.device, contrast, height, width));
    denoised_values.download();
    print_output("denoised_values", denoised_values.host, denoised_values.count);
    return EXIT_SUCCESS;
}
