#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Vec6f {
    float v[6];
};

struct Mat6f {
    float m[6][6];
};

__device__ inline Vec6f operator+(const Vec6f& a, const Vec6f& b) {
    Vec6f c;
    for (int i = 0; i < 6; ++i) c.v[i] = a.v[i] + b.v[i];
    return c;
}

__device__ inline Vec6f operator*(const Mat6f& a, const Vec6f& b) {
    Vec6f c;
    for (int i = 0; i < 6; ++i) {
        float sum = a.m[i][0] * b.v[0];
        for (int j = 1; j < 6; ++j) sum += a.m[i][j] * b.v[j];
        c.v[i] = sum;
    }
    return c;
}

// The angular half.
__device__ inline float3 spatial_top(const Vec6f& a) { return make_float3(a.v[0], a.v[1], a.v[2]); }

// The linear half.
__device__ inline float3 spatial_bottom(const Vec6f& a) { return make_float3(a.v[3], a.v[4], a.v[5]); }

__device__ inline Vec6f spatial_vector(float3 top, float3 bottom) {
    return Vec6f{{top.x, top.y, top.z, bottom.x, bottom.y, bottom.z}};
}

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// The rate of change of the force b in a frame that moves by a.
__device__ inline Vec6f spatial_cross_dual(const Vec6f& a, const Vec6f& b) {
    const float3 wa = spatial_top(a), vb = spatial_bottom(b);
    return spatial_vector(cross(wa, spatial_top(b)) + cross(spatial_bottom(a), vb), cross(wa, vb));
}

__device__ inline float dot(const Vec6f& a, const Vec6f& b) {
    float sum = 0.0f;
    for (int i = 0; i < 6; ++i) sum += a.v[i] * b.v[i];
    return sum;
}

// Computes the wrench of each joint from the momentum of the moving link. Also stores the torque as the
// projection of a wrench.
__global__ void momentum_wrench(const Vec6f* __restrict__ parent_twists, const Vec6f* __restrict__ own_twists,
                                const Mat6f* __restrict__ spatial_inertias, Vec6f* __restrict__ wrenches,
                                float* __restrict__ torques, int n) {
    const int joint = blockIdx.x * blockDim.x + threadIdx.x;
    if (joint >= n) return;

    const Mat6f spatial_inertia = spatial_inertias[joint];
    const Vec6f parent_twist = parent_twists[joint];
    const Vec6f own_twist = own_twists[joint];
    const Vec6f link_twist = parent_twist + own_twist;
    const Vec6f momentum = spatial_inertia * link_twist;
    const Vec6f wrench = spatial_cross_dual(link_twist, momentum);
    wrenches[joint] = wrench;
    const float torque = dot(wrench, own_twist);
    torques[joint] = torque;
}

cudaError_t launch_momentum_wrench(const Vec6f* parent_twists, const Vec6f* own_twists,
                                   const Mat6f* spatial_inertias, Vec6f* wrenches, float* torques, int n,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    momentum_wrench<<<grid, block, 0, stream>>>(parent_twists, own_twists, spatial_inertias, wrenches,
                                                torques, n);
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

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<Vec6f, float> parent_twists(n), own_twists(n), wrenches(n);
    Array<Mat6f, float> spatial_inertias(n);
    Array<float> torques(n);
    fill_uniform(parent_twists, 0x2370168f, -2.0, 2.0);
    fill_uniform(own_twists, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(spatial_inertias, 0x8a2e10de, -0.5, 0.5);
    CUDA_CHECK(launch_momentum_wrench(parent_twists.device, own_twists.device, spatial_inertias.device,
                                      wrenches.device, torques.device, n));
    print_output("wrenches", wrenches);
    print_output("torques", torques);
    return 0;
}
