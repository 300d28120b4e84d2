#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float ATTACK = 0.45f;
constexpr int SAMPLES = 96;

// Noise gate with a soft knee.
__device__ float noise_gate(float level, float threshold, float floor_gain) {
    const float open_share = 1.0f / (1.0f + expf(-0.5f * (level - threshold)));
    return floor_gain + (1.0f - floor_gain) * open_share;
}

// Envelope follower.
__global__ void envelope_follower(const float* __restrict__ signal, const float* __restrict__ levels,
                                  float threshold, float release, float* __restrict__ envelopes, int n) {
    const int frame = blockIdx.x * blockDim.x + threadIdx.x;
    if (frame >= n) return;

    const float gain = noise_gate(levels[frame], threshold, 0.07f);
    float envelope = 0.0f;
    for (int j = 0; j < SAMPLES; ++j) {
        const float magnitude = fminf(gain * fabsf(signal[size_t(frame) * SAMPLES + j]), 1.0f);
        if (magnitude > envelope) {
            envelope += ATTACK * (magnitude - envelope);
        } else {
            envelope += release * (magnitude - envelope);
        }
    }
    envelopes[frame] = envelope;
}

cudaError_t launch_envelope_follower(const float* signal, const float* levels, float threshold, float release,
                                     float* envelopes, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    envelope_follower<<<grid, block, 0, stream>>>(signal, levels, threshold, release, envelopes, n);
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
    const int n = 1000, samples = 96;
    Array<float> signal(n * samples), levels(n), envelopes(n);
    const float threshold = -6.8990526f, release = 0.054199826f;
    fill_uniform(signal, 0x2370168f, -1.0, 1.0);
    fill_uniform(levels, 0x9c9df0a2, -40.0, 0.0);
    CUDA_CHECK(
        launch_envelope_follower(signal.device, levels.device, threshold, release, envelopes.device, n));
    envelopes.download();
    double sum = 0.0;
    for (size_t i = 0; i < envelopes.count; ++i) sum += envelopes.host[i];
    std::printf("envelopes: first %g, last %g, sum %.9g\n", envelopes.host[0],
                envelopes.host[envelopes.count - 1], sum);
    return 0;
}
