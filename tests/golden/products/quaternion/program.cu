#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatf {
    float x, y, z, w;
};

__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

__device__ inline Quatf operator*(float s, Quatf a) { return a * s; }

__device__ inline Quatf operator+(Quatf a, Quatf b) {
    return Quatf{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

// Normalized linear interpolation between rotations.
__global__ void nlerp_rotations(const Quatf* __restrict__ from_rotations,
                                const Quatf* __restrict__ to_rotations, float t, Quatf* __restrict__ blended,
                                int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Quatf a = normalize(from_rotations[i]);
    const Quatf b = normalize(to_rotations[i]);
    blended[i] = normalize((1.0f - t) * a + t * b);
}

cudaError_t launch_nlerp_rotations(const Quatf* from_rotations, const Quatf* to_rotations, float t,
                                   Quatf* blended, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    nlerp_rotations<<<grid, block, 0, stream>>>(from_rotations, to_rotations, t, blended, n);
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

void fill_uniform(Array<Quatf, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Quatf, float> from_rotations(n), to_rotations(n), blended(n);
    const float t = 0.040378988f;
    fill_uniform(from_rotations, 0x2370168f, 0.1, 1.0);
    fill_uniform(to_rotations, 0x9c9df0a2, 0.1, 1.0);
    CUDA_CHECK(launch_nlerp_rotations(from_rotations.device, to_rotations.device, t, blended.device, n));
    blended.download();
    double sum = 0.0;
    for (size_t i = 0; i < blended.count; ++i) sum += blended.host[i];
    std::printf("blended: first %g, last %g, sum %.9g\n", blended.host[0], blended.host[blended.count - 1],
                sum);
    return 0;
}
