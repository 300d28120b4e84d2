#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// acos of x clamped to [-1, 1]: no NaN where rounding leaves x just outside.
__device__ inline float acos_clamped(float x) { return acosf(fminf(fmaxf(x, -1.0f), 1.0f)); }

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

// Return the row and column in texels of a direction in a latitude-longitude map with y up.
__device__ float2 environment_texel(float3 d, int rows, int cols) {
    const float longitude = atan2f(d.z, d.x) / 6.2831853f + 0.5f;
    const float latitude = acos_clamped(fminf(fmaxf(d.y, -1.0f), 1.0f)) / 3.1415927f;
    return make_float2(latitude * float(rows) - 0.5f, longitude * float(cols) - 0.5f);
}

// Sample a latitude-longitude environment map bilinearly along given directions. The exposure is in stops.
__global__ void environment_lookup(cudaTextureObject_t sky, const float3* __restrict__ directions,
                                   float exposure, float* __restrict__ radiance, int n, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 d = normalize(directions[i]);
    const float2 texel = environment_texel(d, rows, cols);
    const int row = int(floorf(texel.x));
    const int col = int(floorf(texel.y));
    const int top = min(max(row, 0), rows - 1);
    const int bottom = min(max(row + 1, 0), rows - 1);
    const int left = col < 0 ? cols - 1 : col;
    const int right = left + 1 < cols ? left + 1 : 0;
    const float fy = texel.x - float(row);
    const float fx = texel.y - float(col);
    const float upper = lerp(tex2D<float>(sky, left + 0.5f, top + 0.5f),
                             tex2D<float>(sky, wrap_index(right, cols) + 0.5f, top + 0.5f), fx);
    const float lower = lerp(tex2D<float>(sky, left + 0.5f, bottom + 0.5f),
                             tex2D<float>(sky, wrap_index(right, cols) + 0.5f, bottom + 0.5f), fx);
    radiance[i] = powf(2.0f, exposure) * lerp(upper, lower, fy);
}

cudaError_t launch_environment_lookup(cudaTextureObject_t sky, const float3* directions, float exposure,
                                      float* radiance, int n, int rows, int cols,
                                      cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    environment_lookup<<<grid, block, 0, stream>>>(sky, directions, exposure, radiance, n, rows, cols);
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
    const int n = 1000, height = 16, width = 32;
    Array<float> sky(height * width), radiance(n);
    Array<float3, float> directions(n);
    const float exposure = -0.919242f;
    fill_uniform(sky, 0x2370168f, 0.0, 1.0);
    fill_uniform(directions, 0x9c9df0a2, -1.0, 1.0);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t texels;
    CUDA_CHECK(cudaMallocArray(&texels, &format, width, height));
    CUDA_CHECK(cudaMemcpy2DToArray(texels, 0, 0, sky.host, width * sizeof(float), width * sizeof(float),
                                   height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CUDA_CHECK(launch_environment_lookup(texture, directions.device, exposure, radiance.device, n, 16, 32));
    radiance.download();
    double sum = 0.0;
    for (size_t i = 0; i < radiance.count; ++i) sum += radiance.host[i];
    std::printf("radiance: first %g, last %g, sum %.9g\n", radiance.host[0],
                radiance.host[radiance.count - 1], sum);
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(texels));
    return 0;
}
