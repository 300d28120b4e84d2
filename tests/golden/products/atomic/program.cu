#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Refractive index by Sellmeier's equation.
__device__ float sellmeier_index(float wavelength, float infrared_strength) {
    const float square = wavelength * wavelength;
    return sqrtf(fmaxf(1.0f + 1.3f * square / (square - 0.02f) - infrared_strength * square, 1.0f));
}

// Compute the transmittance of each active ray through a thin film. The reflectance is estimated by Schlick's
// approximation, and the refracted cosine is computed from the squared sine after refraction. The values of
// active rays are packed into packed_transmittances, in no fixed order.
// Precondition: no element of list_length is negative.
__global__ void etalon_transmittance(
    const int* __restrict__ is_active, const float* __restrict__ incidence_cosines,
    const float* __restrict__ incident_indices, const float* __restrict__ wavelengths,
    const float* __restrict__ refracted_sine_squares, float infrared_strength, float film_thickness,
    float* __restrict__ packed_transmittances, int* __restrict__ ray_ids, int* list_length, int n) {
    const int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray >= n) return;
    if (is_active[ray] == 0) return;

    const float incidence_cosine = incidence_cosines[ray];
    const float incident_index = incident_indices[ray];
    const float wavelength = wavelengths[ray];
    const float transmitted_index = sellmeier_index(wavelength, infrared_strength);
    const float contrast = (incident_index - transmitted_index) / (incident_index + transmitted_index);
    const float rest = 1.0f - incidence_cosine;
    const float fifth = rest * rest * rest * rest * rest;
    const float reflectance = contrast * contrast + (1.0f - contrast * contrast) * fifth;
    const float refracted_sine_square = refracted_sine_squares[ray];
    const float refracted_cosine =
        refracted_sine_square < 1.0f ? sqrtf(fmaxf(1.0f - refracted_sine_square, 0.0f)) : 0.0f;
    const float half_phase = 6.2831853f * film_thickness * refracted_cosine / wavelength;
    const float mirror = fminf(reflectance, 0.95f);
    const float loss = 1.0f - mirror;
    const float wave = sinf(half_phase);
    const float transmittance = 1.0f / (1.0f + 4.0f * mirror / (loss * loss) * (wave * wave));
    const int slot = atomicAdd(&list_length[0], 1);
    packed_transmittances[slot] = transmittance;
    ray_ids[slot] = ray;
}

cudaError_t launch_etalon_transmittance(const int* is_active, const float* incidence_cosines,
                                        const float* incident_indices, const float* wavelengths,
                                        const float* refracted_sine_squares, float infrared_strength,
                                        float film_thickness, float* packed_transmittances, int* ray_ids,
                                        int* list_length, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    etalon_transmittance<<<grid, block, 0, stream>>>(
        is_active, incidence_cosines, incident_indices, wavelengths, refracted_sine_squares,
        infrared_strength, film_thickness, packed_transmittances, ray_ids, list_length, n);
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
    Array<int> is_active(n), ray_ids(n), list_length(1);
    Array<float> incidence_cosines(n), incident_indices(n), wavelengths(n), refracted_sine_squares(n),
        packed_transmittances(n);
    const float infrared_strength = 0.017138416f, film_thickness = 0.6034923f;
    for (size_t i = 0; i < is_active.count; ++i) is_active.host[i] = pcg(0x2370168f + i) % 2;
    is_active.upload();
    fill_uniform(incidence_cosines, 0x9c9df0a2, 0.05, 1.0);
    fill_uniform(incident_indices, 0x8a2e10de, 1.0, 1.8);
    fill_uniform(wavelengths, 0x86a00a5c, 0.4, 0.7);
    fill_uniform(refracted_sine_squares, 0x14cd5bc2, 0.0, 1.5);
    CUDA_CHECK(launch_etalon_transmittance(
        is_active.device, incidence_cosines.device, incident_indices.device, wavelengths.device,
        refracted_sine_squares.device, infrared_strength, film_thickness, packed_transmittances.device,
        ray_ids.device, list_length.device, n));
    print_output("packed_transmittances", packed_transmittances);
    print_output("ray_ids", ray_ids);
    print_output("list_length", list_length);
    return 0;
}
