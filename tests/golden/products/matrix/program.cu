#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

float random_uniform(uint32_t parameter, uint32_t i, double low, double high) {
    return float(low + (random_bits(parameter, i) >> 8) * 0x1p-24 * (high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int n = 1000;
    Array<Mat3f> couplings(n);
    Array<float3> states(n), previous_states(n);
    Array<float> next_state_x(n), next_state_y(n), next_state_z(n);
    const float dt = random_uniform(7, 0, 0.05, 0.3);
    for (size_t i = 0; i < 9 * couplings.count; ++i)
        reinterpret_cast<float*>(couplings.host)[i] = random_uniform(0, i, -0.5, 0.5);
    for (size_t i = 0; i < 3 * states.count; ++i) {
        reinterpret_cast<float*>(states.host)[i] = random_uniform(1, i, -1.0, 1.0);
        reinterpret_cast<float*>(previous_states.host)[i] = random_uniform(2, i, -1.0, 1.0);
    }
    couplings.upload();
    states.upload();
    previous_states.upload();
    for (auto* array : {&next_state_x, &next_state_y, &next_state_z}) array->upload();
    CUDA_CHECK(launch_implicit_step(couplings.device, states.device, previous_states.device,
                                    next_state_x.device, next_state_y.device, next_state_z.device, n, dt));
    next_state_x.download();
    next_state_y.download();
    next_state_z.download();
    print_output("next_state_x", next_state_x.host, next_state_x.count);
    print_output("next_state_y", next_state_y.host, next_state_y.count);
    print_output("next_state_z", next_state_z.host, next_state_z.count);
    return EXIT_SUCCESS;
}
