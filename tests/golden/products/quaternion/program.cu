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

__device__ inline Quatf operator-(Quatf a) { return Quatf{-a.x, -a.y, -a.z, -a.w}; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// Compute the body rates that turn spacecraft to a target about the error axis, up to a maximum rate.
__global__ void eigenaxis_slew(const Quatf* __restrict__ attitudes, Quatf target, float gain, float max_rate,
                               float3* __restrict__ rate_commands, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    Quatf error = conjugate(normalize(target)) * normalize(attitudes[i]);
    // q and -q are one attitude: the error takes the shorter way
    if (error.w < 0.0f) {
        error = -error;
    }
    const float3 axis = make_float3(error.x, error.y, error.z);
    const float sine = length(axis);
    const float angle = 2.0f * atan2f(sine, error.w);
    const float speed = fminf(gain * angle, max_rate);
    // 0 - x is +0 for x = 0, where -x would be -0.
    rate_commands[i] = (0.0f - speed) * normalize(axis);
}

cudaError_t launch_eigenaxis_slew(const Quatf* attitudes, Quatf target, float gain, float max_rate,
                                  float3* rate_commands, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eigenaxis_slew<<<grid, block, 0, stream>>>(attitudes, target, gain, max_rate, rate_commands, n);
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
    Array<Quatf, float> attitudes(n);
    Array<float3, float> rate_commands(n);
    const Quatf target = {0.33068976f, 0.49198806f, 0.37448236f, 0.33088052f};
    const float gain = 0.2161516f, max_rate = 0.32824934f;
    fill_uniform(attitudes, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_eigenaxis_slew(attitudes.device, target, gain, max_rate, rate_commands.device, n));
    rate_commands.download();
    double sum = 0.0;
    for (size_t i = 0; i < rate_commands.count; ++i) sum += rate_commands.host[i];
    std::printf("rate_commands: first %g, last %g, sum %.9g\n", rate_commands.host[0],
                rate_commands.host[rate_commands.count - 1], sum);
    return 0;
}
