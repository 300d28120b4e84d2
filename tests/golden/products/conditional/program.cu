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
    Array<float> angles(n), reference_angles(2 * n), torques(n);
    Array<int> torque_levels(n);
    for (size_t i = 0; i < angles.count; ++i) angles.host[i] = random_uniform(0, i, -324.0, 324.0);
    for (size_t i = 0; i < reference_angles.count; ++i)
        reference_angles.host[i] = random_uniform(1, i, -180.0, 180.0);
    for (auto* array : {&angles, &reference_angles, &torques}) array->upload();
    torque_levels.upload();
    CUDA_CHECK(launch_wrapped_angle(angles.device, reference_angles.device, torques.device,
                                    torque_levels.device, n));
    torques.download();
    torque_levels.download();
    print_output("torques", torques.host, torques.count);
    print_output("torque_levels", torque_levels.host, torque_levels.count);
    return EXIT_SUCCESS;
}
