#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

cudaTextureObject_t make_texture(const cudaResourceDesc& resource) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    const int n = 1000, texels = 1000;
    Array<float> lookup_texture(texels), baselines(n);
    Array<int> neighbors(n), links(n), other_links(n), indices(n);
    Array<float2> gathered_pairs(n);
    for (size_t i = 0; i < lookup_texture.count; ++i)
        lookup_texture.host[i] = random_uniform(0, i, -1.0, 1.0);
    for (size_t i = 0; i < neighbors.count; ++i) {
        neighbors.host[i] = random_integer(1, i, 0, texels);
        links.host[i] = random_integer(2, i, 0, texels);
        other_links.host[i] = random_integer(3, i, 0, texels);
        indices.host[i] = random_integer(4, i, 0, texels);
        baselines.host[i] = random_uniform(5, i, -0.5, 0.5);
    }
    lookup_texture.upload();
    baselines.upload();
    for (auto* array : {&neighbors, &links, &other_links, &indices}) array->upload();
    gathered_pairs.upload();
    cudaResourceDesc lookup_texture_texels{};
    lookup_texture_texels.resType = cudaResourceTypeLinear;
    lookup_texture_texels.res.linear.devPtr = lookup_texture.device;
    lookup_texture_texels.res.linear.desc = cudaCreateChannelDesc<float>();
    lookup_texture_texels.res.linear.sizeInBytes = lookup_texture.count * sizeof(float);
    const cudaTextureObject_t lookup_texture_texture = make_texture(lookup_texture_texels);
    CUDA_CHECK(launch_scattered_fetch(lookup_texture_texture, neighbors.device, links.device,
                                      other_links.device, indices.device, baselines.device,
                                      gathered_pairs.device, n));
    gathered_pairs.download();
    print_output("gathered_pairs", reinterpret_cast<float*>(gathered_pairs.host), 2 * gathered_pairs.count);
    CUDA_CHECK(cudaDestroyTextureObject(lookup_texture_texture));
    return EXIT_SUCCESS;
}
