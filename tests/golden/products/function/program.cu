#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// Epidemic of Kermack and McKendrick: susceptible, infected and recovered fractions.
__device__ float3 derivative(float3 x, float infection_rate, float recovery_rate) {
    const float infections = infection_rate * x.x * x.y;
    const float recoveries = recovery_rate * x.y;
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    return make_float3(0.0f - infections, infections - recoveries, recoveries);
}

// Step of the classical fourth-order method.
__device__ float3 rk4_step(float3 x, float h, float infection_rate, float recovery_rate) {
    const float3 k1 = derivative(x, infection_rate, recovery_rate);
    const float3 k2 = derivative(x + 0.5f * h * k1, infection_rate, recovery_rate);
    const float3 k3 = derivative(x + 0.5f * h * k2, infection_rate, recovery_rate);
    const float3 k4 = derivative(x + h * k3, infection_rate, recovery_rate);
    return x + h / 6.0f * (k1 + 2.0f * k2 + 2.0f * k3 + k4);
}

// Integrate SIR epidemics from many initial states by the classical Runge-Kutta method.
__global__ void sir_trajectories(const float3* __restrict__ states, float infection_rate, float recovery_rate,
                                 float h, int num_steps, float3* __restrict__ final_states, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float3 x = states[i];
    for (int step = 0; step < num_steps; ++step) {
        x = rk4_step(x, h, infection_rate, recovery_rate);
    }
    final_states[i] = x;
}

cudaError_t launch_sir_trajectories(const float3* states, float infection_rate, float recovery_rate, float h,
                                    int num_steps, float3* final_states, int n,
                                    cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sir_trajectories<<<grid, block, 0, stream>>>(states, infection_rate, recovery_rate, h, num_steps,
                                                 final_states, n);
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
    const int n = 1000;
    Array<float3, float> states(n), final_states(n);
    const float infection_rate = 0.5025288f, recovery_rate = 0.104037896f, h = 0.037099913f;
    const int num_steps = 8;
    fill_uniform(states, 0x2370168f, 0.1, 0.5);
    CUDA_CHECK(launch_sir_trajectories(states.device, infection_rate, recovery_rate, h, num_steps,
                                       final_states.device, n));
    final_states.download();
    double sum = 0.0;
    for (size_t i = 0; i < final_states.count; ++i) sum += final_states.host[i];
    std::printf("final_states: first %g, last %g, sum %.9g\n", final_states.host[0],
                final_states.host[final_states.count - 1], sum);
    return 0;
}
