#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the advection rate of each cell by central differences with upwind diffusion. Neighbors outside the
// grid are zero.
__global__ void compute_diffusive_upwind_transport(const float2* __restrict__ velocities,
                                                   cudaTextureObject_t concentrations,
                                                   float* __restrict__ advection_rates, float dx, int rows,
                                                   int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;

    const int index = row * cols + col;
    const float2 velocity = velocities[index];
    const float concentration = tex2D<float>(concentrations, col, row);
    const float up = row >= 1 ? tex2D<float>(concentrations, col, row - 1) : 0.0f;
    const float down = row + 1 < rows ? tex2D<float>(concentrations, col, row + 1) : 0.0f;
    const float left = col >= 1 ? tex2D<float>(concentrations, col - 1, row) : 0.0f;
    const float right = col + 1 < cols ? tex2D<float>(concentrations, col + 1, row) : 0.0f;
    const float transport_y =
        0.5f * velocity.y * (down - up) - 0.5f * fabsf(velocity.y) * (up + down - 2.0f * concentration);
    const float transport_x =
        0.5f * velocity.x * (right - left) - 0.5f * fabsf(velocity.x) * (left + right - 2.0f * concentration);
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    const float advection_rate = (0.0f - (transport_y + transport_x)) / dx;
    advection_rates[index] = advection_rate;
}

cudaError_t launch_compute_diffusive_upwind_transport(const float2* velocities,
                                                      cudaTextureObject_t concentrations,
                                                      float* advection_rates, float dx, int rows, int cols,
                                                      cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    compute_diffusive_upwind_transport<<<grid, block, 0, stream>>>(velocities, concentrations,
                                                                   advection_rates, dx, rows, cols);
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
    const int rows = 28, cols = 37;
    Array<float2, float> velocities(rows * cols);
    Array<float> concentrations(rows * cols), advection_rates(rows * cols);
    const float dx = 0.27099913f;
    fill_uniform(velocities, 0x2370168f, -1.0, 1.0);
    fill_uniform(concentrations, 0x9c9df0a2, 0.0, 1.0);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t texels;
    CUDA_CHECK(cudaMallocArray(&texels, &format, cols, rows));
    CUDA_CHECK(cudaMemcpy2DToArray(texels, 0, 0, concentrations.host, cols * sizeof(float),
                                   cols * sizeof(float), rows, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_compute_diffusive_upwind_transport(velocities.device, texture, advection_rates.device,
                                                         dx, rows, cols));
    advection_rates.download();
    double sum = 0.0;
    for (size_t i = 0; i < advection_rates.count; ++i) sum += advection_rates.host[i];
    std::printf("advection_rates: first %g, last %g, sum %.9g\n", advection_rates.host[0],
                advection_rates.host[advection_rates.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(texels));
    return 0;
}
