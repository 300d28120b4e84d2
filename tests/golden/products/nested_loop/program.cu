#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the spectral centroid of each frame over low bands.
__global__ void compute_spectral_centroid(const float* __restrict__ signal,
                                          float* __restrict__ spectral_centroids, int num_bands,
                                          int num_samples, int n) {
    const int frame = blockIdx.x * blockDim.x + threadIdx.x;
    if (frame >= n) return;

    float power_sum = 0.001f;
    float moment = 0.0f;
    const size_t row_start = size_t(frame) * num_samples;
    for (int band = 1; band < num_bands; ++band) {
        float cosine_part = 0.0f;
        float sine_part = 0.0f;
        for (int j = 0; j < num_samples; ++j) {
            const float angle = 6.2831853f * float(band * j) / float(num_samples);
            cosine_part += signal[row_start + j] * cosf(angle);
            sine_part += signal[row_start + j] * sinf(angle);
        }
        const float power = cosine_part * cosine_part + sine_part * sine_part;
        power_sum += power;
        moment += float(band) * power;
    }
    spectral_centroids[frame] = moment / power_sum;
}

cudaError_t launch_compute_spectral_centroid(const float* signal, float* spectral_centroids, int num_bands,
                                             int num_samples, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_spectral_centroid<<<grid, block, 0, stream>>>(signal, spectral_centroids, num_bands, num_samples,
                                                          n);
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
    const int n = 1000, samples = 48, bands = 8;
    Array<float> signal(n * samples), spectral_centroids(n);
    fill_uniform(signal, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_compute_spectral_centroid(signal.device, spectral_centroids.device, bands, samples, n));
    spectral_centroids.download();
    double sum = 0.0;
    for (size_t i = 0; i < spectral_centroids.count; ++i) sum += spectral_centroids.host[i];
    std::printf("spectral_centroids: first %g, last %g, sum %.9g\n", spectral_centroids.host[0],
                spectral_centroids.host[spectral_centroids.count - 1], sum);
    return 0;
}
