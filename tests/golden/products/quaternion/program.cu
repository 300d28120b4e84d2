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

int main() {
    const int n = 1000, threads = 512;
    Array<int> mask(n);
    Array<Quatf> firsts(n), seconds(n), between_values(n);
    for (size_t i = 0; i < mask.count; ++i) mask.host[i] = random_integer(0, i, 0, 2);
    for (size_t i = 0; i < 4 * firsts.count; ++i) {
        reinterpret_cast<float*>(firsts.host)[i] = random_uniform(1, i, -1.0, 1.0);
        reinterpret_cast<float*>(seconds.host)[i] = random_uniform(2, i, -1.0, 1.0);
    }
    mask.upload();
    for (auto* array : {&firsts, &seconds, &between_values}) array->upload();
    CUDA_CHECK(launch_interpolate_turns(mask.device, firsts.device, seconds.device, threads, n,
                                        between_values.device));
    between_values.download();
    print_output("between_values", reinterpret_cast<float*>(between_values.host), 4 * between_values.count);
    return EXIT_SUCCESS;
}
