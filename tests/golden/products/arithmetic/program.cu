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

// Magnitude of the rounding error of uniform quantization. sample_baseline_map says which element of
// sample_baselines is read along the last axis. A baseline is subtracted from the sample. The sign of the
// sample does not count. Where present_flags is zero, fallback takes the place of the error. The result goes
// through a square root.
// Precondition: elements of sample_baseline_map lie in [0, cols).
__global__ void quantize(const float* __restrict__ samples, const int* __restrict__ sample_baseline_map,
                         const float* __restrict__ sample_baselines, const int* __restrict__ present_flags,
                         float zero_point, float fallback, float* __restrict__ errors, int rows, int cols) {
    const int i = blockIdx.x * blockDim.y + threadIdx.y;
    const int j = blockIdx.y * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const int index = i * cols + j;
    const float sample = samples[index];
    const float sample_baseline = sample_baselines[i * cols + sample_baseline_map[j]];
    const float relative_sample = sample - sample_baseline;
    const float rectified_sample = fabsf(relative_sample);
    const float multiple = floorf((rectified_sample - zero_point) / 0.3f + 0.5f);
    const float gated_error =
        present_flags[index] == 0 ? fallback : fabsf(rectified_sample - (multiple * 0.3f + zero_point));
    const float error = sqrtf(gated_error);
    errors[index] = error;
}

cudaError_t launch_quantize(const float* samples, const int* sample_baseline_map,
                            const float* sample_baselines, const int* present_flags, float zero_point,
                            float fallback, float* errors, int rows, int cols,
                            cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 8);
    const dim3 grid((rows + block.y - 1) / block.y, (cols + block.x - 1) / block.x);
    quantize<<<grid, block, 0, stream>>>(samples, sample_baseline_map, sample_baselines, present_flags,
                                         zero_point, fallback, errors, rows, cols);
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

int main() {
    const int rows = 63, cols = 16;
    Array<float> samples(rows * cols), sample_baselines(rows * cols), errors(rows * cols);
    Array<int> sample_baseline_map(cols), present_flags(rows * cols);
    const float zero_point = -0.18743235f, fallback = 0.7473822f;
    fill_uniform(samples, 0x2370168f, -4.0, 4.0);
    fill_integers(sample_baseline_map, 0x9c9df0a2, cols);
    fill_uniform(sample_baselines, 0x8a2e10de, -1.2, 1.2);
    fill_integers(present_flags, 0x86a00a5c, 2);
    CUDA_CHECK(launch_quantize(samples.device, sample_baseline_map.device, sample_baselines.device,
                               present_flags.device, zero_point, fallback, errors.device, rows, cols));
    errors.download();
    double sum = 0.0;
    for (size_t i = 0; i < errors.count; ++i) sum += errors.host[i];
    std::printf("errors: first %g, last %g, sum %.9g\n", errors.host[0], errors.host[errors.count - 1], sum);
    return 0;
}
