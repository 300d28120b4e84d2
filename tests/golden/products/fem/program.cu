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

// Larger principal stress by Hooke's law in plane stress; Poisson's ratio is 0.4. Only column 0 of exx_values
// is read. right_exx_index says which element of right_exx_values is read. kind chooses between two arrays.
// side chooses between two arrays. eyy is limited on both sides. side_value chooses between two arrays. exy
// is limited from above. The response is subtracted from the measurement. The result is multiplied by gain.
// The result is subtracted from ceiling. The level of the result in steps of 1/4, rounded, is stored as well.
// Precondition: elements of right_exx_index lie in [0, num_items).
__global__ void hooke_stress(const int* __restrict__ kinds, const float* __restrict__ exx_values,
                             const int* __restrict__ right_exx_index,
                             const float* __restrict__ right_exx_values, const int* __restrict__ sides,
                             const float* __restrict__ left_eyy_values,
                             const float* __restrict__ other_eyy_values, const int* __restrict__ other_sides,
                             const float* __restrict__ exy_values, const float* __restrict__ right_exy_values,
                             const float* __restrict__ measurements, float youngs_modulus, float gain,
                             float ceiling, int num_items, float* __restrict__ responses,
                             int* __restrict__ response_levels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_items; i += gridDim.x * blockDim.x) {
        const int side_value = other_sides[i];
        const int kind = kinds[i];
        const float chosen_exx = kind == 0 ? exx_values[size_t(i) * 4] : right_exx_values[right_exx_index[i]];
        const float measurement = measurements[i];
        const float factor = youngs_modulus / 0.84f;
        const int side = sides[i];
        const float chosen_eyy = side == 0 ? left_eyy_values[i] : other_eyy_values[i];
        const float chosen_exy = side_value == 0 ? exy_values[i] : right_exy_values[i];
        const float limited_eyy = fmaxf(fminf(chosen_eyy, 0.45f), -0.45f);
        const float limited_exy = fminf(chosen_exy, 0.44f);
        const float syy = factor * (limited_eyy + 0.4f * chosen_exx);
        const float sxy = factor * 0.3f * limited_exy;
        const float sxx = factor * (chosen_exx + 0.4f * limited_eyy);
        const float half = 0.5f * (sxx - syy);
        const float response = 0.5f * (sxx + syy) + sqrtf(half * half + sxy * sxy);
        const float residual = measurement - response;
        const float final_response = ceiling - gain * residual;
        responses[i] = final_response;
        response_levels[i] = int(roundf(final_response * 4.0f));
    }
}

cudaError_t launch_hooke_stress(const int* kinds, const float* exx_values, const int* right_exx_index,
                                const float* right_exx_values, const int* sides, const float* left_eyy_values,
                                const float* other_eyy_values, const int* other_sides,
                                const float* exy_values, const float* right_exy_values,
                                const float* measurements, float youngs_modulus, float gain, float ceiling,
                                int num_threads, int num_items, float* responses, int* response_levels,
                                cudaStream_t stream = nullptr) {
    if (num_threads == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_threads + block - 1) / block;
    hooke_stress<<<grid, block, 0, stream>>>(kinds, exx_values, right_exx_index, right_exx_values, sides,
                                             left_eyy_values, other_eyy_values, other_sides, exy_values,
                                             right_exy_values, measurements, youngs_modulus, gain, ceiling,
                                             num_items, responses, response_levels);
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

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
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
    const int n = 1000, threads = 512;
    Array<int> kinds(n), right_exx_index(n), sides(n), other_sides(n), response_levels(n);
    Array<float> exx_values(n * 4), right_exx_values(n), left_eyy_values(n), other_eyy_values(n),
        exy_values(n), right_exy_values(n), measurements(n), responses(n);
    const float youngs_modulus = random_uniform(11, 0, 1.0, 5.0);
    const float gain = random_uniform(12, 0, 0.2, 5.0);
    const float ceiling = random_uniform(13, 0, 0.5, 2.0);
    for (size_t i = 0; i < kinds.count; ++i) {
        kinds.host[i] = random_integer(0, i, 0, 2);
        right_exx_index.host[i] = random_integer(2, i, 0, n);
        right_exx_values.host[i] = random_uniform(3, i, -0.5, 0.5);
        sides.host[i] = random_integer(4, i, 0, 2);
        left_eyy_values.host[i] = random_uniform(5, i, -0.5, 0.5);
        other_eyy_values.host[i] = random_uniform(6, i, -0.5, 0.5);
        other_sides.host[i] = random_integer(7, i, 0, 2);
        exy_values.host[i] = random_uniform(8, i, -0.5, 0.5);
        right_exy_values.host[i] = random_uniform(9, i, -0.5, 0.5);
        measurements.host[i] = random_uniform(10, i, -1.0, 1.0);
    }
    for (size_t i = 0; i < exx_values.count; ++i) exx_values.host[i] = random_uniform(1, i, -0.5, 0.5);
    for (auto* array : {&kinds, &right_exx_index, &sides, &other_sides, &response_levels}) array->upload();
    for (auto* array : {&exx_values, &right_exx_values, &left_eyy_values, &other_eyy_values, &exy_values,
                        &right_exy_values, &measurements, &responses})
        array->upload();
    CUDA_CHECK(launch_hooke_stress(kinds.device, exx_values.device, right_exx_index.device,
                                   right_exx_values.device, sides.device, left_eyy_values.device,
                                   other_eyy_values.device, other_sides.device, exy_values.device,
                                   right_exy_values.device, measurements.device, youngs_modulus, gain,
                                   ceiling, threads, n, responses.device, response_levels.device));
    responses.download();
    response_levels.download();
    print_output("responses", responses.host, responses.count);
    print_output("response_levels", response_levels.host, response_levels.count);
    return EXIT_SUCCESS;
}
