#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// -1 for negative x, else 1 (also for zero).
__device__ inline float sign(float x) { return x < 0.0f ? -1.0f : 1.0f; }

// Pack the normal of each point into 16 bits a coordinate of an octahedron.
__global__ void pack_octahedral_code(const float3* __restrict__ normals,
                                     uint32_t* __restrict__ packed_normals, int n) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;

    const float3 normal = normals[idx];
    const float size = fmaxf(fabsf(normal.x) + fabsf(normal.y) + fabsf(normal.z), 0.001f);
    float u = normal.x / size;
    float v = normal.y / size;
    if (normal.z < 0.0f) {
        const float folded = (1.0f - fabsf(v)) * sign(u);
        v = (1.0f - fabsf(u)) * sign(v);
        u = folded;
    }
    const uint32_t packed_normal =
        (uint32_t(roundf(32767.5f * (v + 1.0f))) << 16) | uint32_t(roundf(32767.5f * (u + 1.0f)));
    packed_normals[idx] = packed_normal;
}

cudaError_t launch_pack_octahedral_code(const float3* normals, uint32_t* packed_normals, int n,
                                        cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    pack_octahedral_code<<<grid, block, 0, stream>>>(normals, packed_normals, n);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<float3, float> normals(n);
    Array<uint32_t> packed_normals(n);
    fill_uniform(normals, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_pack_octahedral_code(normals.device, packed_normals.device, n));
    packed_normals.download();
    double sum = 0.0;
    for (size_t i = 0; i < packed_normals.count; ++i) sum += packed_normals.host[i];
    std::printf("packed_normals: first %g, last %g, sum %.9g\n", double(packed_normals.host[0]),
                double(packed_normals.host[packed_normals.count - 1]), sum);
    return 0;
}
