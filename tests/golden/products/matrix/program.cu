#include <cuda_runtime.h>
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

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) { return a * s; }

__device__ inline Mat3f operator-(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] - b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline float3 operator*(const Mat3f& a, float3 b) {
    return make_float3(a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z,
                       a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z,
                       a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Two-step update by a coupling of components. Each component has an array of its own.
__global__ void implicit_step(const Mat3f* __restrict__ couplings, const float3* __restrict__ states,
                              const float3* __restrict__ previous_states, float* __restrict__ next_state_x,
                              float* __restrict__ next_state_y, float* __restrict__ next_state_z,
                              int num_items, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_items) return;

    const float3 state = states[i];
    const Mat3f coupling = couplings[i];
    const Mat3f system = identity_Mat3f() - dt * coupling;
    const float3 previous_state = previous_states[i];
    const float3 next_state = (identity_Mat3f() + dt * coupling) * state - system * previous_state;
    next_state_x[i] = next_state.x;
    next_state_y[i] = next_state.y;
    next_state_z[i] = next_state.z;
}

cudaError_t launch_implicit_step(const Mat3f* couplings, const float3* states, const float3* previous_states,
                                 float* next_state_x, float* next_state_y, float* next_state_z, int num_items,
                                 float dt, cudaStream_t stream = nullptr) {
    if (num_items == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_items + block - 1) / block;
    implicit_step<<<grid, block, 0, stream>>>(couplings, states, previous_states, next_state_x, next_state_y,
                                              next_state_z, num_items, dt);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000;
    Array<Mat3f, float> couplings(n);
    Array<float3, float> states(n), previous_states(n);
    Array<float> next_state_x(n), next_state_y(n), next_state_z(n);
    const float dt = 0.17697746f;
    fill_uniform(couplings, 0x2370168f, -0.5, 0.5);
    fill_uniform(states, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(previous_states, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_implicit_step(couplings.device, states.device, previous_states.device,
                                    next_state_x.device, next_state_y.device, next_state_z.device, n, dt));
    print_output("next_state_x", next_state_x);
    print_output("next_state_y", next_state_y);
    print_output("next_state_z", next_state_z);
    return 0;
}
