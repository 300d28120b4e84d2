#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }

// Correction of a distance constraint between points of different masses, for both ends.
// Precondition: elements of starts and ends lie in [0, count).
__global__ void distance_constraint(const float2* __restrict__ positions, const int* __restrict__ starts,
                                    const int* __restrict__ ends, const float* __restrict__ rest_lengths,
                                    const float* __restrict__ inverse_masses, int count,
                                    float2* __restrict__ corrections_b, float2* __restrict__ corrections_a) {
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < count; c += gridDim.x * blockDim.x) {
        const int a = starts[c];
        const int b = ends[c];
        const float wa = inverse_masses[a];
        const float2 d = positions[a] - positions[b];
        const float length_ = fmaxf(length(d), 0.05f);
        const float error = length_ - rest_lengths[c];
        const float wb = inverse_masses[b];
        // 0 - x rather than -x: the negative of zero is zero, not negative zero.
        const float2 push = 0.5f * ((0.0f - error) / (wa + wb)) / length_ * d;
        corrections_b[c] = -wb * push;
        corrections_a[c] = wa * push;
    }
}

cudaError_t launch_distance_constraint(const float2* positions, const int* starts, const int* ends,
                                       const float* rest_lengths, const float* inverse_masses, int stride,
                                       int count, float2* corrections_b, float2* corrections_a,
                                       cudaStream_t stream = nullptr) {
    if (stride == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (stride + block - 1) / block;
    distance_constraint<<<grid, block, 0, stream>>>(positions, starts, ends, rest_lengths, inverse_masses,
                                                    count, corrections_b, corrections_a);
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

void print_output(const char* name, Array<float2, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int points = 1000, threads = 512;
    Array<float2, float> positions(points), corrections_b(points), corrections_a(points);
    Array<int> starts(points), ends(points);
    Array<float> rest_lengths(points), inverse_masses(points);
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_integers(starts, 0x9c9df0a2, points);
    fill_integers(ends, 0x8a2e10de, points);
    fill_uniform(rest_lengths, 0x86a00a5c, 0.3, 1.2);
    fill_uniform(inverse_masses, 0x14cd5bc2, 0.1, 1.5);
    CUDA_CHECK(launch_distance_constraint(positions.device, starts.device, ends.device, rest_lengths.device,
                                          inverse_masses.device, threads, points, corrections_b.device,
                                          corrections_a.device));
    print_output("corrections_b", corrections_b);
    print_output("corrections_a", corrections_a);
    return 0;
}
