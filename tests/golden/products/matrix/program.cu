#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Mat3f {
    float m[3][3];
};

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) { return a * s; }

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Solve 3 x 3 systems by Cramer's rule, with cross products of the columns; damping is added to the diagonal,
// and the determinant is kept.
__global__ void solve_3x3(const Mat3f* __restrict__ a, const float3* __restrict__ rhs, float damping,
                          float3* __restrict__ solutions, float* __restrict__ determinants, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat3f m = a[i] + damping * identity_Mat3f();
    const float3 b = rhs[i];
    const float3 c0 = make_float3(m.m[0][0], m.m[1][0], m.m[2][0]);
    const float3 c1 = make_float3(m.m[0][1], m.m[1][1], m.m[2][1]);
    const float3 c2 = make_float3(m.m[0][2], m.m[1][2], m.m[2][2]);
    const float det = dot(c0, cross(c1, c2));
    const float x = dot(b, cross(c1, c2)) / det;
    const float y = dot(c0, cross(b, c2)) / det;
    const float z = dot(c0, cross(c1, b)) / det;
    solutions[i] = make_float3(x, y, z);
    determinants[i] = det;
}

cudaError_t launch_solve_3x3(const Mat3f* a, const float3* rhs, float damping, float3* solutions,
                             float* determinants, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    solve_3x3<<<grid, block, 0, stream>>>(a, rhs, damping, solutions, determinants, n);
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
    Array<Mat3f, float> a(n);
    Array<float3, float> rhs(n), solutions(n);
    Array<float> determinants(n);
    const float damping = 4.040379f;
    fill_uniform(a, 0x2370168f, -1.0, 1.0);
    fill_uniform(rhs, 0x9c9df0a2, -1.0, 1.0);
    CUDA_CHECK(launch_solve_3x3(a.device, rhs.device, damping, solutions.device, determinants.device, n));
    print_output("solutions", solutions);
    print_output("determinants", determinants);
    return 0;
}
