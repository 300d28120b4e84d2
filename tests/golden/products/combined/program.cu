#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int BEAMFORMED_COLS = 80;
constexpr int CHANNEL_DATA_ROWS = 24;

// Delay-and-sum beamformer, weighted by the coherence factor: each pixel adds the samples that arrive from
// it, interpolated linearly.
// Precondition: elements of element_x lie in [-0.02, 0.02].
// Precondition: pixel_size is not negative.
// Precondition: samples_per_metre lies in [1800, 2000].
__global__ void das_beamformer(const float* __restrict__ channel_data, const float* __restrict__ element_x,
                               const float* __restrict__ apodization, float pixel_size,
                               float samples_per_metre, float* __restrict__ beamformed, int rows,
                               int channel_data_cols) {
    const int i = blockIdx.x * blockDim.y + threadIdx.y;
    const int j = threadIdx.x;
    if (i >= rows) return;

    const float depth = float(i + 1) * pixel_size;
    const float x = (float(j) - 0.5f * float(BEAMFORMED_COLS)) * pixel_size;
    float total = 0.0f;
    float energy = 0.0f;
    for (int c = 0; c < CHANNEL_DATA_ROWS; ++c) {
        const float dx = x - element_x[c];
        const float path = sqrtf(depth * depth + dx * dx);
        const float delay = path * samples_per_metre;
        const int s = int(floorf(delay));
        if (s + 1 < channel_data_cols) {
            const float f = delay - float(s);
            const int index = c * channel_data_cols + s;
            float sample = (1.0f - f) * channel_data[index] + f * channel_data[index + 1];
            sample *= apodization[c];
            total += sample;
            energy += sample * sample;
        }
    }
    // the floor keeps pixels without an echo at zero
    const float factor = total * total / (float(CHANNEL_DATA_ROWS) * fmaxf(energy, 1e-12f));
    beamformed[i * BEAMFORMED_COLS + j] = factor * total;
}

cudaError_t launch_das_beamformer(const float* channel_data, const float* element_x, const float* apodization,
                                  float pixel_size, float samples_per_metre, float* beamformed, int rows,
                                  int channel_data_cols, cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    if (channel_data_cols > INT_MAX / CHANNEL_DATA_ROWS || rows > INT_MAX / BEAMFORMED_COLS)
        return cudaErrorInvalidValue;
    // A block spans the last dimension.
    const dim3 block(BEAMFORMED_COLS, 2);
    const unsigned grid = (rows + block.y - 1) / block.y;
    das_beamformer<<<grid, block, 0, stream>>>(channel_data, element_x, apodization, pixel_size,
                                               samples_per_metre, beamformed, rows, channel_data_cols);
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
    const int rows = 17;
    Array<float> channel_data(24 * (3 * rows + 200)), element_x(24), apodization(24), beamformed(rows * 80);
    const float pixel_size = 0.0005f, samples_per_metre = 1862.5135f;
    fill_uniform(channel_data, 0x2370168f, 0.2, 1.0);
    fill_uniform(element_x, 0x9c9df0a2, -0.02, 0.02);
    fill_uniform(apodization, 0x8a2e10de, 0.1, 1.0);
    CUDA_CHECK(launch_das_beamformer(channel_data.device, element_x.device, apodization.device, pixel_size,
                                     samples_per_metre, beamformed.device, rows, 3 * rows + 200));
    beamformed.download();
    double sum = 0.0;
    for (size_t i = 0; i < beamformed.count; ++i) sum += beamformed.host[i];
    std::printf("beamformed: first %g, last %g, sum %.9g\n", beamformed.host[0],
                beamformed.host[beamformed.count - 1], sum);
    return 0;
}
