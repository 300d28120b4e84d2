#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the histogram of the distance of all orbits by the conic equation. The true anomaly is computed by
// the half-angle formula. Each value is shared between the two nearest of 9 bins from 0.3 to 8.
__global__ void soft_conic_distance_histogram(const float* __restrict__ semi_major_axes,
                                              const float* __restrict__ eccentricities,
                                              const float* __restrict__ eccentric_anomalies, float* votes,
                                              int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ float shared_votes[9];
    if (threadIdx.x < 9) shared_votes[threadIdx.x] = 0.0f;
    __syncthreads();

    const int body = blockIdx.x * blockDim.x + threadIdx.x;
    if (body < n) {
        const float semi_major_axis = semi_major_axes[body];
        const float eccentricity = eccentricities[body];
        const float eccentric_anomaly = eccentric_anomalies[body];
        const float half = 0.5f * eccentric_anomaly;
        const float true_anomaly =
            2.0f * atan2f(sqrtf(1.0f + eccentricity) * sinf(half), sqrtf(1.0f - eccentricity) * cosf(half));
        const float distance = semi_major_axis * (1.0f - eccentricity * eccentricity) /
                               fmaxf(1.0f + eccentricity * cosf(true_anomaly), 0.1f);
        const float place = fminf(fmaxf(0.0f, (distance - 0.3f) / 7.7f * 8.0f), 8.0f);
        const int low_bin = min(int(place), 7);
        const float upper_share = place - float(low_bin);
        atomicAdd(&shared_votes[low_bin], 1.0f - upper_share);
        atomicAdd(&shared_votes[low_bin + 1], upper_share);
    }

    __syncthreads();
    if (threadIdx.x < 9) atomicAdd(&votes[threadIdx.x], shared_votes[threadIdx.x]);
}

cudaError_t launch_soft_conic_distance_histogram(const float* semi_major_axes, const float* eccentricities,
                                                 const float* eccentric_anomalies, float* votes, int n,
                                                 cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    soft_conic_distance_histogram<<<grid, block, 0, stream>>>(semi_major_axes, eccentricities,
                                                              eccentric_anomalies, votes, n);
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
    const int n = 1000, num_bins = 9;
    Array<float> semi_major_axes(n), eccentricities(n), eccentric_anomalies(n), votes(num_bins);
    fill_uniform(semi_major_axes, 0x2370168f, 0.5, 5.0);
    fill_uniform(eccentricities, 0x9c9df0a2, 0.02, 0.7);
    fill_uniform(eccentric_anomalies, 0x8a2e10de, 0.1, 6.1);
    CUDA_CHECK(launch_soft_conic_distance_histogram(semi_major_axes.device, eccentricities.device,
                                                    eccentric_anomalies.device, votes.device, n));
    votes.download();
    double sum = 0.0;
    for (size_t i = 0; i < votes.count; ++i) sum += votes.host[i];
    std::printf("votes: first %g, last %g, sum %.9g\n", votes.host[0], votes.host[votes.count - 1], sum);
    return 0;
}
