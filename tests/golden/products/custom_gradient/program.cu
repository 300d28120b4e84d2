#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

struct alignas(16) Mat2f {
    float m[2][2];
};

__device__ inline Mat2f operator+(const Mat2f& a, const Mat2f& b) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat2f operator-(const Mat2f& a) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = -a.m[i][j];
    }
    return c;
}

__device__ inline Mat2f operator*(const Mat2f& a, float s) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline float2 operator*(const Mat2f& a, float2 b) {
    return make_float2(a.m[0][0] * b.x + a.m[0][1] * b.y, a.m[1][0] * b.x + a.m[1][1] * b.y);
}

__device__ inline Mat2f operator*(const Mat2f& a, const Mat2f& b) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < 2; ++k) sum = fmaf(a.m[i][k], b.m[k][j], sum);
            c.m[i][j] = sum;
        }
    }
    return c;
}

__device__ inline Mat2f operator*(float s, const Mat2f& a) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float determinant(const Mat2f& a) { return a.m[0][0] * a.m[1][1] - a.m[1][0] * a.m[0][1]; }

// The zero matrix if a is singular.
__device__ inline Mat2f inverse(const Mat2f& a) {
    const float det = determinant(a);
    if (det == 0.0f || isnan(det)) return Mat2f{};
    return Mat2f{{{a.m[1][1], -a.m[0][1]}, {-a.m[1][0], a.m[0][0]}}} * (1.0f / det);
}

__device__ inline Mat2f transpose(const Mat2f& a) {
    Mat2f b;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }

__device__ inline Mat2f outer(float2 a, float2 b) {
    return Mat2f{{{a.x * b.x, a.x * b.y}, {a.y * b.x, a.y * b.y}}};
}

__device__ inline Mat2f identity_Mat2f() { return Mat2f{{{1.0f, 0.0f}, {0.0f, 1.0f}}}; }

// Return the solution x of stiffness x = load for a symmetric 2 x 2 matrix, by its inverse.
__device__ float2 solve_displacement(Mat2f stiffness, float2 load) { return inverse(stiffness) * load; }

// Solve small spring systems and compare the displacements with observations: compute half the squared error,
// and its gradient with respect to the load and the stiffness. Each stiffness matrix is factor
// factor^T + ridge I, so that it is positive definite.
__global__ void compliance_fit_gradient(const Mat2f* __restrict__ factors, const float2* __restrict__ loads,
                                        const float2* __restrict__ observed, float ridge,
                                        float* __restrict__ losses, float2* __restrict__ load_gradients,
                                        Mat2f* __restrict__ stiffness_gradients, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat2f factor = factors[i];
    const Mat2f stiffness = factor * transpose(factor) + ridge * identity_Mat2f();
    const float2 displacement = solve_displacement(stiffness, loads[i]);
    const float2 error = displacement - observed[i];
    losses[i] = 0.5f * dot(error, error);
    // the matrix is symmetric, and so is its inverse
    const float2 adjoint = solve_displacement(stiffness, error);
    load_gradients[i] = adjoint;
    stiffness_gradients[i] = -outer(adjoint, displacement);
}

cudaError_t launch_compliance_fit_gradient(const Mat2f* factors, const float2* loads, const float2* observed,
                                           float ridge, float* losses, float2* load_gradients,
                                           Mat2f* stiffness_gradients, int n, cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compliance_fit_gradient<<<grid, block, 0, stream>>>(factors, loads, observed, ridge, losses,
                                                        load_gradients, stiffness_gradients, n);
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
    Array<Mat2f, float> factors(n), stiffness_gradients(n);
    Array<float2, float> loads(n), observed(n), load_gradients(n);
    Array<float> losses(n);
    const float ridge = 0.71374893f;
    fill_uniform(factors, 0x2370168f, -1.0, 1.0);
    fill_uniform(loads, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(observed, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_compliance_fit_gradient(factors.device, loads.device, observed.device, ridge,
                                              losses.device, load_gradients.device,
                                              stiffness_gradients.device, n));
    print_output("losses", losses);
    print_output("load_gradients", load_gradients);
    print_output("stiffness_gradients", stiffness_gradients);
    return 0;
}
