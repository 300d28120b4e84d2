#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Total squared color error against a reference of each group.
// Precondition: elements of group_ids lie in [0, 16).
__global__ void compute_squared_color_error(const float3* __restrict__ display_colors,
                                            const float3* __restrict__ reference_colors,
                                            const int* __restrict__ group_ids, float* group_squared_errors,
                                            int count) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ float shared_group_squared_errors[16];
    if (threadIdx.x < 16) shared_group_squared_errors[threadIdx.x] = 0.0f;
    __syncthreads();

    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < count; index += gridDim.x * blockDim.x) {
        const float3 display_color = display_colors[index];
        const float3 reference_color = reference_colors[index];
        const float3 error = display_color - reference_color;
        const float squared_error = dot(error, error);
        const int group = group_ids[index];
        atomicAdd(&shared_group_squared_errors[group], squared_error);
    }

    __syncthreads();
    if (threadIdx.x < 16) {
        atomicAdd(&group_squared_errors[threadIdx.x], shared_group_squared_errors[threadIdx.x]);
    }
}

cudaError_t launch_compute_squared_color_error(const float3* display_colors, const float3* reference_colors,
                                               const int* group_ids, float* group_squared_errors, int count,
                                               cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    // A thread strides over 8 elements, so that a block makes its atomics once for 2,048.
    constexpr unsigned block = 256;
    const unsigned grid = (count + 8 * block - 1) / (8 * block);
    compute_squared_color_error<<<grid, block, 0, stream>>>(display_colors, reference_colors, group_ids,
                                                            group_squared_errors, count);
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
    const int height = 32, width = 42, groups = 16;
    Array<float3, float> display_colors(height * width), reference_colors(height * width);
    Array<int> group_ids(height * width);
    Array<float> group_squared_errors(groups);
    fill_uniform(display_colors, 0x2370168f, 0.0, 1.0);
    fill_uniform(reference_colors, 0x9c9df0a2, 0.0, 1.0);
    for (size_t i = 0; i < group_ids.count; ++i) group_ids.host[i] = pcg(0x8a2e10de + i) % groups;
    group_ids.upload();
    CUDA_CHECK(launch_compute_squared_color_error(display_colors.device, reference_colors.device,
                                                  group_ids.device, group_squared_errors.device,
                                                  height * width));
    group_squared_errors.download();
    double sum = 0.0;
    for (size_t i = 0; i < group_squared_errors.count; ++i) sum += group_squared_errors.host[i];
    std::printf("group_squared_errors: first %g, last %g, sum %.9g\n", group_squared_errors.host[0],
                group_squared_errors.host[group_squared_errors.count - 1], sum);
    return 0;
}
