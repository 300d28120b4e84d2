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

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline Mat3f matrix_from_columns(float3 a, float3 b, float3 c) {
    return Mat3f{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

__device__ inline Mat3f operator*(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < 3; ++k) sum = fmaf(a.m[i][k], b.m[k][j], sum);
            c.m[i][j] = sum;
        }
    }
    return c;
}

__device__ inline Mat3f transpose(const Mat3f& a) {
    Mat3f b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) { return a * s; }
__device__ inline float trace(const Mat3f& a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

// Sum of products of elements.
__device__ inline float double_dot(const Mat3f& a, const Mat3f& b) {
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum = fmaf(a.m[i][j], b.m[i][j], sum);
    }
    return sum;
}

// Linear elastic energy density (linear elastic stress from Lamé's parameters).
// Precondition: elements of element_nodes lie in [0, n).
__global__ void compute_linear_energy_density(const Mat3f* __restrict__ rest_inverses,
                                              const float3* __restrict__ displacements,
                                              const int* __restrict__ element_nodes, float lame_lambda,
                                              float lame_mu, float* __restrict__ energy_densities, int n) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;

    const Mat3f rest_inverse = rest_inverses[e];
    const int n0 = element_nodes[4 * e];
    const float3 u0 = displacements[n0];
    const int n1 = element_nodes[4 * e + 1];
    const float3 u1 = displacements[n1];
    const int n2 = element_nodes[4 * e + 2];
    const float3 u2 = displacements[n2];
    const int n3 = element_nodes[4 * e + 3];
    const float3 u3 = displacements[n3];
    const Mat3f displacement_gradient = matrix_from_columns(u1 - u0, u2 - u0, u3 - u0) * rest_inverse;
    const Mat3f strain = 0.5f * (displacement_gradient + transpose(displacement_gradient));
    const Mat3f stress = lame_lambda * trace(strain) * identity_Mat3f() + 2.0f * lame_mu * strain;
    const float energy_density = 0.5f * double_dot(stress, strain);
    energy_densities[e] = energy_density;
}

cudaError_t launch_compute_linear_energy_density(const Mat3f* rest_inverses, const float3* displacements,
                                                 const int* element_nodes, float lame_lambda, float lame_mu,
                                                 float* energy_densities, int n,
                                                 cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    compute_linear_energy_density<<<grid, block, 0, stream>>>(rest_inverses, displacements, element_nodes,
                                                              lame_lambda, lame_mu, energy_densities, n);
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

int main() {
    const int n = 1000;
    Array<Mat3f, float> rest_inverses(n);
    Array<float3, float> displacements(n);
    Array<int> element_nodes(4 * n);
    Array<float> energy_densities(n);
    const float lame_lambda = 1.5687445f, lame_mu = 1.2814192f;
    fill_uniform(rest_inverses, 0x2370168f, -1.0, 1.0);
    fill_uniform(displacements, 0x9c9df0a2, -0.3, 0.3);
    for (size_t i = 0; i < element_nodes.count; ++i) element_nodes.host[i] = pcg(0x8a2e10de + i) % n;
    element_nodes.upload();
    CUDA_CHECK(launch_compute_linear_energy_density(rest_inverses.device, displacements.device,
                                                    element_nodes.device, lame_lambda, lame_mu,
                                                    energy_densities.device, n));
    energy_densities.download();
    double sum = 0.0;
    for (size_t i = 0; i < energy_densities.count; ++i) sum += energy_densities.host[i];
    std::printf("energy_densities: first %g, last %g, sum %.9g\n", energy_densities.host[0],
                energy_densities.host[energy_densities.count - 1], sum);
    return 0;
}
