#include <cuda_runtime.h>
#include <climits>
#include <cmath>
#include <cstdint>
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

struct Mat4f {
    float m[4][4];
};

struct Quatf {
    float x, y, z, w;
};

constexpr int NUM_STEPS = 16;

__device__ inline float trace(const Mat3f& a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

__device__ inline Mat4f identity_Mat4f() {
    return Mat4f{{{1.0f, 0.0f, 0.0f, 0.0f},
                  {0.0f, 1.0f, 0.0f, 0.0f},
                  {0.0f, 0.0f, 1.0f, 0.0f},
                  {0.0f, 0.0f, 0.0f, 1.0f}}};
}

__device__ inline Mat4f operator*(float s, const Mat4f& a) {
    Mat4f c;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

__device__ inline Mat4f operator+(const Mat4f& a, const Mat4f& b) {
    Mat4f c;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline float4 operator*(const Mat4f& a, float4 b) {
    return make_float4(a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z + a.m[0][3] * b.w,
                       a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z + a.m[1][3] * b.w,
                       a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z + a.m[2][3] * b.w,
                       a.m[3][0] * b.x + a.m[3][1] * b.y + a.m[3][2] * b.z + a.m[3][3] * b.w);
}

// Starts at zero, so that the sum of negative zeros is zero.
__device__ inline float dot(float4 a, float4 b) {
    return 0.0f + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__device__ inline float length(float4 a) { return sqrtf(dot(a, a)); }

__device__ inline float4 operator/(float4 a, float s) {
    return make_float4(a.x / s, a.y / s, a.z / s, a.w / s);
}

// a scaled to length one; zero stays zero.
__device__ inline float4 normalize(float4 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f& operator+=(Mat3f& a, const Mat3f& b) { return a = a + b; }

__device__ inline Mat3f outer(float3 a, float3 b) {
    return Mat3f{{{a.x * b.x, a.x * b.y, a.x * b.z},
                  {a.y * b.x, a.y * b.y, a.y * b.z},
                  {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

// Return the symmetric 4 x 4 matrix whose dominant eigenvector is the quaternion (x, y, z, w) of the best
// rotation for the correlation matrix b.
__device__ Mat4f davenport_matrix(Mat3f b) {
    const float x = b.m[1][2] - b.m[2][1];
    const float y = b.m[2][0] - b.m[0][2];
    const float z = b.m[0][1] - b.m[1][0];
    const float xy = b.m[0][1] + b.m[1][0];
    const float yz = b.m[1][2] + b.m[2][1];
    const float zx = b.m[2][0] + b.m[0][2];
    return Mat4f{{{b.m[0][0] - b.m[1][1] - b.m[2][2], xy, zx, x},
                  {xy, b.m[1][1] - b.m[0][0] - b.m[2][2], yz, y},
                  {zx, yz, b.m[2][2] - b.m[0][0] - b.m[1][1], z},
                  {x, y, z, trace(b)}}};
}

// Return the dominant eigenvector by power iteration; `bound` shifts all eigenvalues above zero.
__device__ Quatf best_rotation(Mat3f b, float bound) {
    const Mat4f k = davenport_matrix(b) + bound * identity_Mat4f();
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 1.0f);
    for (int step = 0; step < NUM_STEPS; ++step) {
        v = normalize(k * v);
    }
    return Quatf{v.x, v.y, v.z, v.w};
}

// Solve Wahba's problem by Davenport's q-method: find the attitude that takes the measured unit vectors of
// each column closest to the reference directions, with the weight of each sensor. Arrays of vectors are
// [sensor, spacecraft].
__global__ void davenport_q_method(const float3* __restrict__ body_vectors,
                                   const float3* __restrict__ reference_vectors,
                                   const float* __restrict__ weights, Quatf* __restrict__ rotations,
                                   int groups, int num_sensors) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= groups) return;

    Mat3f correlation{};
    float bound = 0.0f;
    for (int k = 0; k < num_sensors; ++k) {
        const int index = k * groups + s;
        const float3 measured = body_vectors[index];
        correlation += weights[k] * outer(measured, reference_vectors[index]);
        bound += weights[k];
    }
    rotations[s] = best_rotation(correlation, bound);
}

cudaError_t launch_davenport_q_method(const float3* body_vectors, const float3* reference_vectors,
                                      const float* weights, Quatf* rotations, int groups, int num_sensors,
                                      cudaStream_t stream = nullptr) {
    if (groups <= 0) return cudaSuccess;
    if (int64_t(num_sensors) * groups > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (groups + block - 1) / block;
    davenport_q_method<<<grid, block, 0, stream>>>(body_vectors, reference_vectors, weights, rotations,
                                                   groups, num_sensors);
    return cudaGetLastError();
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
void normalize_each(Array<float3, float>& x, int total, int first) {
    for (size_t i = first; i < x.count; i += total) scale_to_unit_length(&x.host[i], total - first);
    x.upload();
}

int main() {
    const int num_sensors = 4, groups = 250;
    Array<float3, float> body_vectors(num_sensors * groups), reference_vectors(num_sensors * groups);
    Array<float> weights(num_sensors);
    Array<Quatf, float> rotations(groups);
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
