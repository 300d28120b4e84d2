#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Ray with its origin and direction.
struct Ray {
    float3 origin;
    float3 direction;
};

// Sphere with its center and radius.
struct Sphere {
    float3 center;
    float radius;
};

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// Return the distance along a ray from inside a sphere to where it leaves.
__device__ float exit_distance(Sphere sphere, float3 origin, float3 direction) {
    const float3 offset = origin - sphere.center;
    const float b = dot(offset, direction);
    const float c = dot(offset, offset) - sphere.radius * sphere.radius;
    return sqrtf(b * b - c) - b;
}

// Find the distance at which rays that start inside a sphere leave it.
__global__ void leave_sphere(const Ray* __restrict__ rays, Sphere sphere, float* __restrict__ distances,
                             int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Ray ray = rays[i];
    const float3 direction = normalize(ray.direction);
    const float t = exit_distance(sphere, ray.origin, direction);
    distances[i] = t;
}

cudaError_t launch_leave_sphere(const Ray* rays, Sphere sphere, float* distances, int n,
                                cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    leave_sphere<<<grid, block, 0, stream>>>(rays, sphere, distances, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
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

int main() {
    const int n = 1000;
    Array<Ray> rays(n);
    Array<float> distances(n);
    Sphere sphere{};
    sphere.center = make_float3(-0.14620683f, -0.03867463f, -0.11701176f);
    sphere.radius = 2.2565339f;
    for (size_t i = 0; i < rays.count; ++i) {
        Ray& element = rays.host[i];
        const unsigned counter = 0x2370168f + 6 * i;
        element.origin =
            make_float3(random_uniform(counter, -0.5, 0.5), random_uniform(counter + 1, -0.5, 0.5),
                        random_uniform(counter + 2, -0.5, 0.5));
        element.direction =
            make_float3(random_uniform(counter + 3, 0.1, 1.0), random_uniform(counter + 4, 0.1, 1.0),
                        random_uniform(counter + 5, 0.1, 1.0));
    }
    rays.upload();
    CUDA_CHECK(launch_leave_sphere(rays.device, sphere, distances.device, n));
    distances.download();
    double sum = 0.0;
    for (size_t i = 0; i < distances.count; ++i) sum += distances.host[i];
    std::printf("distances: first %g, last %g, sum %.9g\n", distances.host[0],
                distances.host[distances.count - 1], sum);
    return 0;
}
