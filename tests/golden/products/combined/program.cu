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

struct Mat2f {
    float m[2][2];
};

constexpr int RADIUS = 2;

__device__ inline float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
__device__ inline float2 operator*(float s, float2 a) { return a * s; }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2& operator+=(float2& a, float2 b) { return a = a + b; }
__device__ inline float determinant(const Mat2f& a) { return a.m[0][0] * a.m[1][1] - a.m[1][0] * a.m[0][1]; }

__device__ inline Mat2f operator*(const Mat2f& a, float s) {
    Mat2f c;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

// The zero matrix if a is singular.
__device__ inline Mat2f inverse(const Mat2f& a) {
    const float det = determinant(a);
    if (det == 0.0f || isnan(det)) return Mat2f{};
    return Mat2f{{{a.m[1][1], -a.m[0][1]}, {-a.m[1][0], a.m[0][0]}}} * (1.0f / det);
}

__device__ inline float2 operator*(const Mat2f& a, float2 b) {
    return make_float2(a.m[0][0] * b.x + a.m[0][1] * b.y, a.m[1][0] * b.x + a.m[1][1] * b.y);
}

// Compute central differences along x and y, with pixels beyond the border equal to the nearest edge pixel.
__device__ float2 gradient(const float* image, int y, int x, int image_cols, int image_rows) {
    const int row_start = y * image_cols;
    const float gx = image[row_start + min(x + 1, image_cols - 1)] - image[row_start + max(x - 1, 0)];
    const float gy =
        image[min(y + 1, image_rows - 1) * image_cols + x] - image[max(y - 1, 0) * image_cols + x];
    return 0.5f * make_float2(gx, gy);
}

// Estimate optical flow by one damped Lucas-Kanade step: the least-squares displacement for the brightness
// change in a window around each pixel. Windows are clamped at the border.
__global__ void lucas_kanade_step(const float* __restrict__ image, const float* __restrict__ next_image,
                                  float damping, float2* __restrict__ flow, int rows, int cols) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= rows || x >= cols) return;

    float a = 0.0f;
    float b = 0.0f;
    float c = 0.0f;
    float2 mismatch = make_float2(0.0f, 0.0f);
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
        const int v = min(max(y + dy, 0), rows - 1);
        const int row_start = v * cols;
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            const int u = min(max(x + dx, 0), cols - 1);
            const float2 g = gradient(image, v, u, cols, rows);
            a += g.x * g.x;
            b += g.x * g.y;
            c += g.y * g.y;
            mismatch += (image[row_start + u] - next_image[row_start + u]) * g;
        }
    }
    const Mat2f tensor = {{{a + damping, b}, {b, c + damping}}};
    flow[y * cols + x] = inverse(tensor) * mismatch;
}

cudaError_t launch_lucas_kanade_step(const float* image, const float* next_image, float damping, float2* flow,
                                     int rows, int cols, cudaStream_t stream = nullptr) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    lucas_kanade_step<<<grid, block, 0, stream>>>(image, next_image, damping, flow, rows, cols);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int height = 20, width = 80;
    Array<float> image(height * width), next_image(height * width);
    Array<float2, float> flow(height * width);
    const float damping = 0.05605685f;
    fill_uniform(image, 0x2370168f, 0.0, 1.0);
    fill_uniform(next_image, 0x9c9df0a2, 0.0, 1.0);
    CUDA_CHECK(launch_lucas_kanade_step(image.device, next_image.device, damping, flow.device, height, 80));
    flow.download();
    double sum = 0.0;
    for (size_t i = 0; i < flow.count; ++i) sum += flow.host[i];
    std::printf("flow: first %g, last %g, sum %.9g\n", flow.host[0], flow.host[flow.count - 1], sum);
    return 0;
}
