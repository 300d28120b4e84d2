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

// The inverse of a unit quaternion.
__device__ inline Quatf conjugate(Quatf q) { return Quatf{-q.x, -q.y, -q.z, q.w}; }

__device__ inline Quatf operator*(Quatf a, Quatf b) {
    return Quatf{a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
                 a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }

__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    const float s = sinf(half_angle);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, cosf(half_angle)};
}

// Spherical interpolation from a at t = 0 to b at t = 1.
__device__ inline Quatf slerp(Quatf a, Quatf b, float t) {
    const Quatf difference = conjugate(a) * b;
    const float3 imaginary = make_float3(difference.x, difference.y, difference.z);
    const float3 unit = normalize(imaginary);
    const float3 axis = difference.w < 0.0f ? -unit : unit;
    const float angle = 2.0f * atan2f(length(imaginary), fabsf(difference.w));
    return a * quat_from_axis_angle(axis, t * angle);
}

// Spherical interpolation of two rotations. Elements outside the mask are skipped. The blend is eased.
__global__ void interpolate_turns(const int* __restrict__ mask, const Quatf* __restrict__ firsts,
                                  const Quatf* __restrict__ seconds, int count,
                                  Quatf* __restrict__ between_values) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        if (mask[i] == 0) {
            continue;
        }
        const Quatf second = normalize(seconds[i]);
        const float t = 0.75f;
        const float eased = t * t * (3.0f - 2.0f * t);
        const Quatf first = normalize(firsts[i]);
        const Quatf mixed = slerp(first, second, eased);
        between_values[i] = mixed;
    }
}

cudaError_t launch_interpolate_turns(const int* mask, const Quatf* firsts, const Quatf* seconds, int stride,
                                     int count, Quatf* between_values, cudaStream_t stream = nullptr) {
    if (stride == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (stride + block - 1) / block;
    interpolate_turns<<<grid, block, 0, stream>>>(mask, firsts, seconds, count, between_values);
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
    const int n = 1000, threads = 512;
    Array<int> mask(n);
    Array<Quatf, float> firsts(n), seconds(n), between_values(n);
    for (size_t i = 0; i < mask.count; ++i) mask.host[i] = pcg(0x2370168f + i) % 2;
    mask.upload();
    fill_uniform(firsts, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(seconds, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_interpolate_turns(mask.device, firsts.device, seconds.device, threads, n,
                                        between_values.device));
    between_values.download();
    double sum = 0.0;
    for (size_t i = 0; i < between_values.count; ++i) sum += between_values.host[i];
    std::printf("between_values: first %g, last %g, sum %.9g\n", between_values.host[0],
                between_values.host[between_values.count - 1], sum);
    return 0;
}
