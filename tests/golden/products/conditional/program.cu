#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Lorentzian of each angle in half turns, wrapped once from below. Every second element of reference_angles
// is read. The level of the torque in steps of 1/64, rounded, is stored as well.
__global__ void wrapped_angle(const float* __restrict__ angles, const float* __restrict__ reference_angles,
                              float* __restrict__ torques, int* __restrict__ torque_levels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float reference_angle = reference_angles[i * 2];
    const float turned = angles[i] - 0.1f * reference_angle;
    const float wrapped = turned < -180.0f ? turned + 360.0f : turned;
    const float turn = wrapped / 180.0f;
    const float torque = 0.4f * (1.0f / (1.0f + turn * turn));
    torques[i] = torque;
    torque_levels[i] = int(floorf(torque * 64.0f + 0.5f));
}

cudaError_t launch_wrapped_angle(const float* angles, const float* reference_angles, float* torques,
                                 int* torque_levels, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    wrapped_angle<<<grid, block, 0, stream>>>(angles, reference_angles, torques, torque_levels, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000;
    Array<float> angles(n), reference_angles(2 * n), torques(n);
    Array<int> torque_levels(n);
    fill_uniform(angles, 0x2370168f, -324.0, 324.0);
    fill_uniform(reference_angles, 0x9c9df0a2, -180.0, 180.0);
    CUDA_CHECK(launch_wrapped_angle(angles.device, reference_angles.device, torques.device,
                                    torque_levels.device, n));
    print_output("torques", torques);
    print_output("torque_levels", torque_levels);
    return 0;
}
