#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatd {
    double x, y, z, w;
};

__device__ inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline double length(Quatd a) { return sqrt(dot(a, a)); }
__device__ inline Quatd operator*(Quatd a, double s) { return Quatd{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatd normalize(Quatd a) {
    const double l = length(a);
    return l > 0.0 ? a * (1.0 / l) : Quatd{0.0, 0.0, 0.0, 1.0};
}

// The inverse of a unit quaternion.
__device__ inline Quatd conjugate(Quatd q) { return Quatd{-q.x, -q.y, -q.z, q.w}; }

__device__ inline Quatd operator*(Quatd a, Quatd b) {
    return Quatd{a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
                 a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

__device__ inline double dot(double3 a, double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline double length(double3 a) { return sqrt(dot(a, a)); }
__device__ inline double3 operator/(double3 a, double s) { return make_double3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline double3 normalize(double3 a) {
    const double l = length(a);
    return l > 0.0 ? a / l : make_double3(0.0, 0.0, 0.0);
}

__device__ inline double3 operator-(double3 a) { return make_double3(-a.x, -a.y, -a.z); }

__device__ inline Quatd quat_from_axis_angle(double3 axis, double angle) {
    const double half_angle = angle * 0.5;
    const double s = sin(half_angle);
    return Quatd{axis.x * s, axis.y * s, axis.z * s, cos(half_angle)};
}

// Spherical interpolation from a at t = 0 to b at t = 1.
__device__ inline Quatd slerp(Quatd a, Quatd b, double t) {
    const Quatd difference = conjugate(a) * b;
    const double3 imaginary = make_double3(difference.x, difference.y, difference.z);
    const double3 unit = normalize(imaginary);
    const double3 axis = difference.w < 0.0 ? -unit : unit;
    const double angle = 2.0 * atan2(length(imaginary), fabs(difference.w));
    return a * quat_from_axis_angle(axis, t * angle);
}

// Spherical interpolation of two rotations; the output is its angle.
__global__ void interpolate_turns(const Quatd* __restrict__ seconds, double* __restrict__ angles,
                                  Quatd first_setting, double blend, int count) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;

    const Quatd second = normalize(seconds[index]);
    const Quatd first = normalize(first_setting);
    const Quatd mixed = slerp(first, second, blend);
    const double sine = length(make_double3(mixed.x, mixed.y, mixed.z));
    const double angle = 2.0 * atan2(sine, fabs(mixed.w));
    angles[index] = angle;
}

cudaError_t launch_interpolate_turns(const Quatd* seconds, double* angles, Quatd first_setting, double blend,
                                     int count, cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    interpolate_turns<<<grid, block, 0, stream>>>(seconds, angles, first_setting, blend, count);
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

// Of 53 random bits.

void fill_uniform(Array<Quatd, double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int rows = 16, cols = 64;
    Array<Quatd, double> seconds(rows * cols);
    Array<double> angles(rows * cols);
    const Quatd first_setting = {-0.9192419084693559, -0.8664963185658974, 0.647990797240172,
                                 -0.33170518260441306};
    const double blend = 0.43474807308131586;
    fill_uniform(seconds, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_interpolate_turns(seconds.device, angles.device, first_setting, blend, rows * cols));
    angles.download();
    double sum = 0.0;
    for (size_t i = 0; i < angles.count; ++i) sum += angles.host[i];
    std::printf("angles: first %g, last %g, sum %.9g\n", angles.host[0], angles.host[angles.count - 1], sum);
    return 0;
}
