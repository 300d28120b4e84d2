#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// The largest of 4 texels at places that arrays name. A baseline is subtracted. The gathered value is
// increased by 0.2. The result is stored with its negative part in one vector.
// Precondition: no element of neighbors, links, other_links or indices is negative.
__global__ void scattered_fetch(cudaTextureObject_t lookup_texture, const int* __restrict__ neighbors,
                                const int* __restrict__ links, const int* __restrict__ other_links,
                                const int* __restrict__ indices, const float* __restrict__ baselines,
                                float2* __restrict__ gathered_pairs, int length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;

    const int other_place = links[i];
    const int place = neighbors[i];
    const float first = tex1Dfetch<float>(lookup_texture, place);
    const float baseline = baselines[i];
    const float gathered = fmaxf(fmaxf(fmaxf(first, tex1Dfetch<float>(lookup_texture, other_place)),
                                       tex1Dfetch<float>(lookup_texture, other_links[i])),
                                 tex1Dfetch<float>(lookup_texture, indices[i])) -
                           baseline + 0.2f;
    gathered_pairs[i] = make_float2(gathered, fminf(gathered, 0.0f));
}

cudaError_t launch_scattered_fetch(cudaTextureObject_t lookup_texture, const int* neighbors, const int* links,
                                   const int* other_links, const int* indices, const float* baselines,
                                   float2* gathered_pairs, int length, cudaStream_t stream = nullptr) {
    if (length == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (length + block - 1) / block;
    scattered_fetch<<<grid, block, 0, stream>>>(lookup_texture, neighbors, links, other_links, indices,
                                                baselines, gathered_pairs, length);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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
    const int n = 1000, texels = 1000;
    Array<float> lookup_texture(texels), baselines(n);
    Array<int> neighbors(n), links(n), other_links(n), indices(n);
    Array<float2, float> gathered_pairs(n);
    fill_uniform(lookup_texture, 0x2370168f, -1.0, 1.0);
    fill_integers(neighbors, 0x9c9df0a2, texels);
    fill_integers(links, 0x8a2e10de, texels);
    fill_integers(other_links, 0x86a00a5c, texels);
    fill_integers(indices, 0x14cd5bc2, texels);
    fill_uniform(baselines, 0xa44fd9fd, -0.5, 0.5);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = lookup_texture.device;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = lookup_texture.bytes;
    const cudaTextureDesc sampling{};
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_scattered_fetch(texture, neighbors.device, links.device, other_links.device,
                                      indices.device, baselines.device, gathered_pairs.device, n));
    gathered_pairs.download();
    double sum = 0.0;
    for (size_t i = 0; i < gathered_pairs.count; ++i) sum += gathered_pairs.host[i];
    std::printf("gathered_pairs: first %g, last %g, sum %.9g\n", gathered_pairs.host[0],
                gathered_pairs.host[gathered_pairs.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    return 0;
}
