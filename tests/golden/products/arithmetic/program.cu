#include <cuda_runtime.h>
#include <algorithm>
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

// Magnitude of the rounding error of uniform quantization. sample_baseline_map says which element of
// sample_baselines is read along the last axis. A baseline is subtracted from the sample. The sign of the
// sample does not count. Where present_flags is zero, fallback takes the place of the error. The result goes
// through a square root.
// Precondition: elements of sample_baseline_map lie in [0, cols).
__global__ void quantize(const float* __restrict__ samples, const int* __restrict__ sample_baseline_map,
                         const float* __restrict__ sample_baselines, const int* __restrict__ present_flags,
                         float zero_point, float fallback, float* __restrict__ errors, int rows, int cols) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= cols) return;

    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += gridDim.y * blockDim.y) {
        const int row_start = i * cols;
        const int index = row_start + j;
        const float sample = samples[index];
        const float sample_baseline = sample_baselines[row_start + sample_baseline_map[j]];
        const float relative_sample = sample - sample_baseline;
        const float rectified_sample = fabsf(relative_sample);
        const float multiple = floorf((rectified_sample - zero_point) / 0.3f + 0.5f);
        const float gated_error =
            present_flags[index] == 0 ? fallback : fabsf(rectified_sample - (multiple * 0.3f + zero_point));
        const float error = sqrtf(gated_error);
        errors[index] = error;
    }
}

cudaError_t launch_quantize(const float* samples, const int* sample_baseline_map,
                            const float* sample_baselines, const int* present_flags, float zero_point,
                            float fallback, float* errors, int rows, int cols,
                            cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A block is made for rows of 16: in a wider one, threads would idle.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(16, 16);
    const dim3 grid((cols + block.x - 1) / block.x,
                    std::min<unsigned>((rows + block.y - 1) / block.y, 65535));
    quantize<<<grid, block, 0, stream>>>(samples, sample_baseline_map, sample_baselines, present_flags,
                                         zero_point, fallback, errors, rows, cols);
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
    const int rows = 63, cols = 16;
    Array<float> samples(rows * cols), sample_baselines(rows * cols), errors(rows * cols);
    Array<int> sample_baseline_map(cols), present_flags(rows * cols);
    const float zero_point = random_uniform(4, 0, -0.5, 0.5);
    const float fallback = random_uniform(5, 0, 0.1, 0.9);
    for (size_t i = 0; i < samples.count; ++i) {
        samples.host[i] = random_uniform(0, i, -4.0, 4.0);
        sample_baselines.host[i] = random_uniform(2, i, -1.2, 1.2);
        present_flags.host[i] = random_integer(3, i, 0, 2);
    }
    for (size_t i = 0; i < sample_baseline_map.count; ++i)
        sample_baseline_map.host[i] = random_integer(1, i, 0, cols);
    for (auto* array : {&samples, &sample_baselines, &errors}) array->upload();
    sample_baseline_map.upload();
    present_flags.upload();
    CUDA_CHECK(launch_quantize(samples.device, sample_baseline_map.device, sample_baselines.device,
                               present_flags.device, zero_point, fallback, errors.device, rows, cols));
    errors.download();
    print_output("errors", errors.host, errors.count);
    return EXIT_SUCCESS;
}
