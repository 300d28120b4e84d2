#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// The texel at a place that an array names. A baseline is subtracted.
// Precondition: no element of indices is negative.
__global__ void scattered_fetch(cudaTextureObject_t lookup_texture, const int* __restrict__ indices,
                                const float* __restrict__ baselines, float* __restrict__ fetched_values,
                                int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float fetched = tex1Dfetch<float>(lookup_texture, indices[i]) - baselines[i];
    fetched_values[i] = fetched;
}

cudaError_t launch_scattered_fetch(cudaTextureObject_t lookup_texture, const int* indices,
                                   const float* baselines, float* fetched_values, int n,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    scattered_fetch<<<grid, block, 0, stream>>>(lookup_texture, indices, baselines, fetched_values, n);
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
    const int n = 1000, texels = 2000;
    Array<float> lookup_texture(texels), baselines(n), fetched_values(n);
    Array<int> indices(n);
    fill_uniform(lookup_texture, 0x2370168f, -1.0, 1.0);
    for (size_t i = 0; i < indices.count; ++i) indices.host[i] = pcg(0x9c9df0a2 + i) % texels;
    indices.upload();
    fill_uniform(baselines, 0x8a2e10de, -0.5, 0.5);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = lookup_texture.device;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = lookup_texture.bytes;
    const cudaTextureDesc sampling{};
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_scattered_fetch(texture, indices.device, baselines.device, fetched_values.device, n));
    fetched_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < fetched_values.count; ++i) sum += fetched_values.host[i];
    std::printf("fetched_values: first %g, last %g, sum %.9g\n", fetched_values.host[0],
                fetched_values.host[fetched_values.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    return 0;
}
