#include <cuda_runtime.h>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Mat3d {
    double m[3][3];
};

struct alignas(16) Mat4d {
    double m[4][4];
};

struct alignas(16) Quatd {
    double x, y, z, w;
};

struct alignas(16) Vec4d {
    double x, y, z, w;
};

constexpr int NUM_SQUARINGS = 6;

__device__ inline Mat4d operator*(const Mat4d& a, const Mat4d& b) {
    Mat4d c;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) sum = fma(a.m[i][k], b.m[k][j], sum);
            c.m[i][j] = sum;
        }
    }
    return c;
}

__device__ inline Mat4d operator/(const Mat4d& a, double s) {
    Mat4d c;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) c.m[i][j] = a.m[i][j] / s;
    }
    return c;
}

__device__ inline Mat4d& operator/=(Mat4d& a, double b) { return a = a / b; }
__device__ inline Quatd operator*(Quatd a, double s) { return Quatd{a.x * s, a.y * s, a.z * s, a.w * s}; }

__device__ inline Mat3d operator+(const Mat3d& a, const Mat3d& b) {
    Mat3d c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat3d operator*(double s, const Mat3d& a) {
    Mat3d c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

__device__ inline Mat3d& operator+=(Mat3d& a, const Mat3d& b) { return a = a + b; }
__device__ inline double trace(const Mat3d& a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }
__device__ inline double trace(const Mat4d& a) { return a.m[0][0] + a.m[1][1] + a.m[2][2] + a.m[3][3]; }

__device__ inline Vec4d row(const Mat4d& a, int i) {
    return Vec4d{a.m[i][0], a.m[i][1], a.m[i][2], a.m[i][3]};
}

__device__ inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline double length(Quatd a) { return sqrt(dot(a, a)); }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatd normalize(Quatd a) {
    const double l = length(a);
    return l > 0.0 ? a * (1.0 / l) : Quatd{0.0, 0.0, 0.0, 1.0};
}

__device__ inline Mat3d outer(double3 a, double3 b) {
    return Mat3d{{{a.x * b.x, a.x * b.y, a.x * b.z},
                  {a.y * b.x, a.y * b.y, a.y * b.z},
                  {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

// Return Davenport's matrix for a correlation matrix b, plus shift times the identity. The eigenvector of its
// largest eigenvalue is the quaternion (x, y, z, w) of the best rotation.
__device__ Mat4d davenport_matrix(Mat3d b, double shift) {
    const double x = b.m[1][2] - b.m[2][1];
    const double y = b.m[2][0] - b.m[0][2];
    const double z = b.m[0][1] - b.m[1][0];
    const double xy = b.m[0][1] + b.m[1][0];
    const double yz = b.m[1][2] + b.m[2][1];
    const double zx = b.m[2][0] + b.m[0][2];
    return Mat4d{{{shift + b.m[0][0] - b.m[1][1] - b.m[2][2], xy, zx, x},
                  {xy, shift + b.m[1][1] - b.m[0][0] - b.m[2][2], yz, y},
                  {zx, yz, shift + b.m[2][2] - b.m[0][0] - b.m[1][1], z},
                  {x, y, z, shift + trace(b)}}};
}

// Return the dominant eigenvector of Davenport's matrix as a unit quaternion. No eigenvalue is below -bound,
// so after a shift by bound none is negative. Each squaring of the matrix squares the eigenvalues, so that
// the largest soon outweighs the others.
__device__ Quatd best_rotation(Mat3d b, double bound) {
    Mat4d k = davenport_matrix(b, bound);
    for (int squaring = 0; squaring < NUM_SQUARINGS; ++squaring) {
        k /= trace(k);
        k = k * k;
    }
    // Every row is a multiple of the eigenvector. The one of the largest diagonal is not zero.
    double largest = k.m[0][0];
    Vec4d eigenvector = row(k, 0);
#pragma unroll
    for (int i = 1; i < 4; ++i) {
        if (k.m[i][i] > largest) {
            largest = k.m[i][i];
            eigenvector = row(k, i);
        }
    }
    const Quatd q = {eigenvector.x, eigenvector.y, eigenvector.z, eigenvector.w};
    return normalize(q);
}

// Solve Wahba's problem by Davenport's q-method: find the attitude of each spacecraft that takes its measured
// unit vectors closest to the reference directions, in the least-squares sense with a weight for each sensor.
// body_vectors[k, s] is the vector of sensor k on spacecraft s.
__global__ void davenport_q_method(const double3* __restrict__ body_vectors,
                                   const double3* __restrict__ reference_vectors,
                                   const double* __restrict__ weights, Quatd* __restrict__ rotations,
                                   int groups, int num_sensors) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= groups) return;

    Mat3d correlation{};
    double bound = 0.0;
    for (int k = 0; k < num_sensors; ++k) {
        const int index = k * groups + s;
        const double3 measured = body_vectors[index];
        const double weight = weights[k];
        correlation += weight * outer(measured, reference_vectors[index]);
        bound += weight;
    }
    rotations[s] = best_rotation(correlation, bound);
}

cudaError_t launch_davenport_q_method(const double3* body_vectors, const double3* reference_vectors,
                                      const double* weights, Quatd* rotations, int groups, int num_sensors,
                                      cudaStream_t stream = nullptr) {
    if (groups <= 0) return cudaSuccess;
    if (int64_t(num_sensors) * groups > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (groups + block - 1) / block;
    davenport_q_method<<<grid, block, 0, stream>>>(body_vectors, reference_vectors, weights, rotations,
                                                   groups, num_sensors);
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

// A uniform number made of 53 random bits.
template <typename T>
void fill_uniform(Array<T, double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

// Of every `total` numbers, those from `first` on become a unit vector.
void normalize_each(Array<double3, double>& x, int total, int first) {
    for (size_t i = first; i < x.count; i += total) scale_to_unit_length(&x.host[i], total - first);
    x.upload();
}

int main() {
    const int num_sensors = 4, groups = 250;
    Array<double3, double> body_vectors(num_sensors * groups), reference_vectors(num_sensors * groups);
    Array<double> weights(num_sensors);
    Array<Quatd, double> rotations(groups);
    fill_uniform(body_vectors, 0x2370168f, 0.1, 1.0);
    normalize_each(body_vectors, 3, 0);
    fill_uniform(reference_vectors, 0x9c9df0a2, 0.1, 1.0);
    normalize_each(reference_vectors, 3, 0);
    fill_uniform(weights, 0x8a2e10de, 0.2, 1.0);
    CUDA_CHECK(launch_davenport_q_method(body_vectors.device, reference_vectors.device, weights.device,
                                         rotations.device, groups, num_sensors));
    rotations.download();
    double sum = 0.0;
    for (size_t i = 0; i < rotations.count; ++i) sum += rotations.host[i];
    std::printf("rotations: first %g, last %g, sum %.9g\n", rotations.host[0],
                rotations.host[rotations.count - 1], sum);
    return 0;
}
