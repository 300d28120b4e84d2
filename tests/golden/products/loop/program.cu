#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum the power of all frames of each group under a Blackman window.
// Precondition: elements of group_ids lie in [0, 8).
__global__ void blackman_power(const float* __restrict__ signal, const int* __restrict__ group_ids,
                               int num_samples, float* group_frame_powers, int n) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ float shared_group_frame_powers[8];
    if (threadIdx.x < 8) shared_group_frame_powers[threadIdx.x] = 0.0f;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0.0f;
        for (int j = 0; j < num_samples; ++j) {
            const float angle = 6.2831853f * float(j) / (float(num_samples) - 1.0f);
            const float value = signal[size_t(i) * num_samples + j] *
                                (0.42f - 0.5f * cosf(angle) + 0.08f * cosf(2.0f * angle));
            total += value * value;
        }
        const float frame_power = total / float(num_samples);
        const int group = group_ids[i];
        atomicAdd(&shared_group_frame_powers[group], frame_power);
    }

    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&group_frame_powers[threadIdx.x], shared_group_frame_powers[threadIdx.x]);
}

cudaError_t launch_blackman_power(const float* signal, const int* group_ids, int num_samples,
                                  float* group_frame_powers, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    blackman_power<<<grid, block, 0, stream>>>(signal, group_ids, num_samples, group_frame_powers, n);
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
    const int n = 1000, samples = 16, groups = 8;
    Array<float> signal(n * samples), group_frame_powers(groups);
    Array<int> group_ids(n);
    fill_uniform(signal, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < group_ids.count; ++i) group_ids.host[i] = pcg(0x9c9df0a2 + i) % groups;
    group_ids.upload();
    CUDA_CHECK(launch_blackman_power(signal.device, group_ids.device, samples, group_frame_powers.device, n));
    group_frame_powers.download();
    double sum = 0.0;
    for (size_t i = 0; i < group_frame_powers.count; ++i) sum += group_frame_powers.host[i];
    std::printf("group_frame_powers: first %g, last %g, sum %.9g\n", group_frame_powers.host[0],
                group_frame_powers.host[group_frame_powers.count - 1], sum);
    return 0;
}
