#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct alignas(16) Quatf {
    float x, y, z, w;
};

__device__ inline Quatf operator+(Quatf a, Quatf b) {
    return Quatf{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline Quatf operator*(float s, Quatf a) { return Quatf{s * a.x, s * a.y, s * a.z, s * a.w}; }
__device__ inline Quatf operator*(Quatf a, float s) { return Quatf{a.x * s, a.y * s, a.z * s, a.w * s}; }
__device__ inline float dot(Quatf a, Quatf b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float length(Quatf a) { return sqrtf(dot(a, a)); }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatf normalize(Quatf a) {
    const float l = length(a);
    return l > 0.0f ? a * (1.0f / l) : Quatf{0.0f, 0.0f, 0.0f, 1.0f};
}

// Interpolate rotations by normalized linear interpolation. Every rotation has its own t in [0, 1].
// Quaternions of a pair must lie in one hemisphere.
__global__ void normalized_lerp(const Quatf* __restrict__ from_rotations,
                                const Quatf* __restrict__ to_rotations, const float* __restrict__ ts,
                                Quatf* __restrict__ rotations, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float t = ts[i];
    const Quatf a = from_rotations[i];
    const Quatf b = to_rotations[i];
    rotations[i] = normalize((1.0f - t) * a + t * b);
}

cudaError_t launch_normalized_lerp(const Quatf* from_rotations, const Quatf* to_rotations, const float* ts,
                                   Quatf* rotations, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    normalized_lerp<<<grid, block, 0, stream>>>(from_rotations, to_rotations, ts, rotations, n);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

template <typename T>
void scale_to_unit_length(T* x, int count) {
    double square = 0.0;
    for (int k = 0; k < count; ++k) square += double(x[k]) * x[k];
    const double length = std::sqrt(square);
    for (int k = 0; k < count; ++k) x[k] = x[k] / length;
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

// Of every `total` numbers, those from `first` on become a unit vector.
void normalize_each(Array<Quatf, float>& x, int total, int first) {
    for (size_t i = first; i < x.count; i += total) scale_to_unit_length(&x.host[i], total - first);
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Quatf, float> from_rotations(n), to_rotations(n), rotations(n);
    Array<float> ts(n);
    fill_uniform(from_rotations, 0x2370168f, 0.1, 1.0);
    normalize_each(from_rotations, 4, 0);
    fill_uniform(to_rotations, 0x9c9df0a2, 0.1, 1.0);
    normalize_each(to_rotations, 4, 0);
    fill_uniform(ts, 0x8a2e10de, 0.0, 1.0);
    CUDA_CHECK(
        launch_normalized_lerp(from_rotations.device, to_rotations.device, ts.device, rotations.device, n));
    rotations.download();
    double sum = 0.0;
    for (size_t i = 0; i < rotations.count; ++i) sum += rotations.host[i];
    std::printf("rotations: first %g, last %g, sum %.9g\n", rotations.host[0],
                rotations.host[rotations.count - 1], sum);
    return 0;
}
