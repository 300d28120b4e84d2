#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Finds the pitch lag of each frame at the first dip of the normalised difference.
__global__ void yin_pitch(const float* __restrict__ signal, float dip, int num_lags, int num_samples,
                          int* __restrict__ pitch_lags, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    int pitch_lag = 0;
    float so_far = 0.001f;
    const size_t row_start = size_t(i) * num_samples;
    for (int lag = 1; lag < num_lags; ++lag) {
        float difference = 0.0f;
        for (int j = 0; j < num_samples - lag; ++j) {
            const float gap = signal[row_start + j] - signal[row_start + j + lag];
            difference += gap * gap;
        }
        so_far += difference;
        if (difference * float(lag) < dip * so_far) {
            pitch_lag = lag;
            break;
        }
    }
    pitch_lags[i] = pitch_lag;
}

cudaError_t launch_yin_pitch(const float* signal, float dip, int num_lags, int num_samples, int* pitch_lags,
                             int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    yin_pitch<<<grid, block, 0, stream>>>(signal, dip, num_lags, num_samples, pitch_lags, n);
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
    const int n = 1000, samples = 24, lags = 8;
    Array<float> signal(n * samples);
    Array<int> pitch_lags(n);
    const float dip = 0.7768966f;
    fill_uniform(signal, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_yin_pitch(signal.device, dip, lags, samples, pitch_lags.device, n));
    pitch_lags.download();
    double sum = 0.0;
    for (size_t i = 0; i < pitch_lags.count; ++i) sum += pitch_lags.host[i];
    std::printf("pitch_lags: first %g, last %g, sum %.9g\n", double(pitch_lags.host[0]),
                double(pitch_lags.host[pitch_lags.count - 1]), sum);
    return 0;
}
