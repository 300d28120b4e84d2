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

// Histogram of the denoised intensity (Perona-Malik diffusion step) over all pixels. Indices are clamped at
// the border. Each value is shared between the two nearest of 65 bins from 0 to 1.
__global__ void perona_malik_distribution(const float* __restrict__ intensities, float edge_scale, float rate,
                                          int ny, int nx, float* histogram) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const int row_start = j * nx;
    const float intensity = intensities[row_start + i];
    const float south = intensities[max(j - 1, 0) * nx + i];
    const float north = intensities[min(j + 1, ny - 1) * nx + i];
    const float west = intensities[row_start + max(i - 1, 0)];
    const float east = intensities[row_start + min(i + 1, nx - 1)];
    const float change_up = south - intensity;
    const float change_down = north - intensity;
    const float change_left = west - intensity;
    const float change_right = east - intensity;
    const float denoised_intensity = fminf(
        fmaxf(0.0f,
              intensity +
                  rate * (change_up / (1.0f + change_up * change_up / (edge_scale * edge_scale)) +
                          change_down / (1.0f + change_down * change_down / (edge_scale * edge_scale)) +
                          change_left / (1.0f + change_left * change_left / (edge_scale * edge_scale)) +
                          change_right / (1.0f + change_right * change_right / (edge_scale * edge_scale)))),
        1.0f);
    const float place = fminf(fmaxf(0.0f, denoised_intensity * 64.0f), 64.0f);
    const int low_bin = min(int(place), 63);
    const float upper_share = place - float(low_bin);
    atomicAdd(&histogram[low_bin], 1.0f - upper_share);
    atomicAdd(&histogram[low_bin + 1], upper_share);
}

cudaError_t launch_perona_malik_distribution(const float* intensities, float edge_scale, float rate, int ny,
                                             int nx, float* histogram, cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    perona_malik_distribution<<<grid, block, 0, stream>>>(intensities, edge_scale, rate, ny, nx, histogram);
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
    const int ny = 34, nx = 32, num_bins = 65;
    Array<float> intensities(ny * nx), histogram(num_bins);
    const float edge_scale = 0.066137955f, rate = 0.027268218f;
    fill_uniform(intensities, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(
        launch_perona_malik_distribution(intensities.device, edge_scale, rate, ny, nx, histogram.device));
    histogram.download();
    double sum = 0.0;
    for (size_t i = 0; i < histogram.count; ++i) sum += histogram.host[i];
    std::printf("histogram: first %g, last %g, sum %.9g\n", histogram.host[0],
                histogram.host[histogram.count - 1], sum);
    return 0;
}
