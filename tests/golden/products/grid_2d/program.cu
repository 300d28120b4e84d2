#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }

// Return the shallow-water flux along x of the conserved state q = (h, hu, hv).
__device__ float3 flux_x(float3 q, float g) {
    const float u = q.y / q.x;
    return make_float3(q.y, q.y * u + 0.5f * g * q.x * q.x, q.z * u);
}

// Return the shallow-water flux along y of the conserved state q = (h, hu, hv).
__device__ float3 flux_y(float3 q, float g) {
    const float v = q.z / q.x;
    return make_float3(q.z, q.y * v, q.z * v + 0.5f * g * q.x * q.x);
}

// Take a Lax-Friedrichs step of the shallow water equations. Each cell holds the depth, which must be
// positive, and the momenta: (h, hu, hv), with u along j and v along i. Linear drag slows the water
// implicitly; `drag` is the drag coefficient times the time step. The grid is periodic.
__global__ void lax_friedrichs_step(const float3* __restrict__ state, float g, float dt_over_dx, float drag,
                                    float3* __restrict__ new_state, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    const int i_prev = i == 0 ? rows - 1 : i - 1;
    const float3 below = state[size_t(i_prev) * cols + j];
    const int i_next = i + 1 == rows ? 0 : i + 1;
    const float3 above = state[size_t(i_next) * cols + j];
    const int j_prev = j == 0 ? cols - 1 : j - 1;
    const size_t row_start = size_t(i) * cols;
    const float3 left = state[row_start + j_prev];
    const int j_next = j + 1 == cols ? 0 : j + 1;
    const float3 right = state[row_start + j_next];
    const float3 mean = 0.25f * (below + above + left + right);
    const float3 divergence =
        0.5f * (flux_x(right, g) - flux_x(left, g) + flux_y(above, g) - flux_y(below, g));
    const float3 q = mean - dt_over_dx * divergence;
    new_state[row_start + j] = make_float3(q.x, q.y / (1.0f + drag), q.z / (1.0f + drag));
}

cudaError_t launch_lax_friedrichs_step(const float3* state, float g, float dt_over_dx, float drag,
                                       float3* new_state, int rows, int cols, cudaStream_t stream = nullptr) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    lax_friedrichs_step<<<grid, block, 0, stream>>>(state, g, dt_over_dx, drag, new_state, rows, cols);
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
    const int rows = 18, cols = 80;
    Array<float3, float> state(rows * cols), new_state(rows * cols);
    const float g = 9.805126f, dt_over_dx = 0.021615159f, drag = 0.048474804f;
    fill_uniform(state, 0x2370168f, 0.8, 1.2);
    CUDA_CHECK(launch_lax_friedrichs_step(state.device, g, dt_over_dx, drag, new_state.device, rows, cols));
    new_state.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_state.count; ++i) sum += new_state.host[i];
    std::printf("new_state: first %g, last %g, sum %.9g\n", new_state.host[0],
                new_state.host[new_state.count - 1], sum);
    return 0;
}
