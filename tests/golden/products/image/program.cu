#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int CLUSTERS = 16;

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Sum the squared error of all pixels of each cluster against the reference.
// Precondition: elements of cluster_of lie in [0, 16).
__global__ void color_error_kernel(const float3* __restrict__ display_colors,
                                   const float3* __restrict__ reference_colors,
                                   const int* __restrict__ cluster_of, float* cluster_squared_errors,
                                   int count) {
    // Bins of each warp, so that fewer threads meet at one: additions of floats to shared memory take turns.
    __shared__ float shared_cluster_squared_errors[8][CLUSTERS];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x < CLUSTERS) {
        for (int copy = 0; copy < 8; ++copy) {
            shared_cluster_squared_errors[copy][threadIdx.x] = 0.0f;
        }
    }
    __syncthreads();

    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < uint32_t(count);
         index += gridDim.x * blockDim.x) {
        const float3 display_color = display_colors[index];
        const float3 reference_color = reference_colors[index];
        const float3 error = display_color - reference_color;
        const float squared_error = dot(error, error);
        const int cluster = cluster_of[index];
        atomicAdd(&shared_cluster_squared_errors[warp][cluster], squared_error);
    }

    __syncthreads();
    if (threadIdx.x < CLUSTERS) {
        float bin_total = 0.0f;
        for (int copy = 0; copy < 8; ++copy) {
            bin_total += shared_cluster_squared_errors[copy][threadIdx.x];
        }
        atomicAdd(&cluster_squared_errors[threadIdx.x], bin_total);
    }
}

cudaError_t launch_color_error_kernel(const float3* display_colors, const float3* reference_colors,
                                      const int* cluster_of, float* cluster_squared_errors, int count,
                                      cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((count + block - 1) / block, 1024);
    color_error_kernel<<<grid, block, 0, stream>>>(display_colors, reference_colors, cluster_of,
                                                   cluster_squared_errors, count);
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int height = 11, width = 96, clusters = 16;
    Array<float3, float> display_colors(height * width), reference_colors(height * width);
    Array<int> cluster_of(height * width);
    Array<float> cluster_squared_errors(clusters);
    fill_uniform(display_colors, 0x2370168f, 0.0, 1.0);
    fill_uniform(reference_colors, 0x9c9df0a2, 0.0, 1.0);
    for (size_t i = 0; i < cluster_of.count; ++i) cluster_of.host[i] = pcg(0x8a2e10de + i) % clusters;
    cluster_of.upload();
    CUDA_CHECK(launch_color_error_kernel(display_colors.device, reference_colors.device, cluster_of.device,
                                         cluster_squared_errors.device, height * width));
    cluster_squared_errors.download();
    double sum = 0.0;
    for (size_t i = 0; i < cluster_squared_errors.count; ++i) sum += cluster_squared_errors.host[i];
    std::printf("cluster_squared_errors: first %g, last %g, sum %.9g\n", cluster_squared_errors.host[0],
                cluster_squared_errors.host[cluster_squared_errors.count - 1], sum);
    return 0;
}
