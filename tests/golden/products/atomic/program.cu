#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr float BASE_INDEX = 1.7f;

// Schlick reflectance. Uses the refractive index by Cauchy's equation. Values of selected rays are packed
// into `packed_reflectances`, in no fixed order.
// Precondition: no element of num_kept is negative.
__global__ void eval_schlick_reflectance(const int* __restrict__ selected,
                                         const float* __restrict__ incidence_cosines,
                                         const float* __restrict__ incident_indices,
                                         const float* __restrict__ wavelengths,
                                         float* __restrict__ packed_reflectances, int* __restrict__ ray_ids,
                                         int* num_kept, int n) {
    const int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray >= n) return;
    if (selected[ray] == 0) return;

    const float incident_index = incident_indices[ray];
    const float wavelength = wavelengths[ray];
    const float transmitted_index = BASE_INDEX + 0.01f / (wavelength * wavelength);
    const float contrast = (incident_index - transmitted_index) / (incident_index + transmitted_index);
    const float one_minus_cos = 1.0f - incidence_cosines[ray];
    const float fifth = one_minus_cos * one_minus_cos * one_minus_cos * one_minus_cos * one_minus_cos;
    const float reflectance = contrast * contrast + (1.0f - contrast * contrast) * fifth;
    const int slot = atomicAdd(num_kept, 1);
    packed_reflectances[slot] = reflectance;
    ray_ids[slot] = ray;
}

cudaError_t launch_eval_schlick_reflectance(const int* selected, const float* incidence_cosines,
                                            const float* incident_indices, const float* wavelengths,
                                            float* packed_reflectances, int* ray_ids, int* num_kept, int n,
                                            cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    eval_schlick_reflectance<<<grid, block, 0, stream>>>(selected, incidence_cosines, incident_indices,
                                                         wavelengths, packed_reflectances, ray_ids, num_kept,
                                                         n);
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
    Array<int> selected(n), ray_ids(n), num_kept(1);
    Array<float> incidence_cosines(n), incident_indices(n), wavelengths(n), packed_reflectances(n);
    for (size_t i = 0; i < selected.count; ++i) selected.host[i] = pcg(0x2370168f + i) % 2;
    selected.upload();
    fill_uniform(incidence_cosines, 0x9c9df0a2, 0.05, 1.0);
    fill_uniform(incident_indices, 0x8a2e10de, 1.0, 1.8);
    fill_uniform(wavelengths, 0x86a00a5c, 0.4, 0.7);
    CUDA_CHECK(launch_eval_schlick_reflectance(
        selected.device, incidence_cosines.device, incident_indices.device, wavelengths.device,
        packed_reflectances.device, ray_ids.device, num_kept.device, n));
    print_output("packed_reflectances", packed_reflectances);
    print_output("ray_ids", ray_ids);
    num_kept.download();
    std::printf("num_kept: %d\n", num_kept.host[0]);
    return 0;
}
