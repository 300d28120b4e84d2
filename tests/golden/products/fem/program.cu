#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
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
    const int n = 1000, threads = 512;
    Array<int> kinds(n), right_exx_index(n), sides(n), other_sides(n), response_levels(n);
    Array<float> exx_values(n * 4), right_exx_values(n), left_eyy_values(n), other_eyy_values(n),
        exy_values(n), right_exy_values(n), measurements(n), responses(n);
    const float youngs_modulus = 4.2325525f, gain = 0.9526765f, ceiling = 1.6034691f;
    fill_integers(kinds, 0x2370168f, 2);
    fill_uniform(exx_values, 0x9c9df0a2, -0.5, 0.5);
    fill_integers(right_exx_index, 0x8a2e10de, n);
    fill_uniform(right_exx_values, 0x86a00a5c, -0.5, 0.5);
    fill_integers(sides, 0x14cd5bc2, 2);
    fill_uniform(left_eyy_values, 0xa44fd9fd, -0.5, 0.5);
    fill_uniform(other_eyy_values, 0xf07bd7fc, -0.5, 0.5);
    fill_integers(other_sides, 0xee1ddde9, 2);
    fill_uniform(exy_values, 0x142482e8, -0.5, 0.5);
    fill_uniform(right_exy_values, 0xa1e7c8bf, -0.5, 0.5);
    fill_uniform(measurements, 0x6d467e71, -1.0, 1.0);
    CUDA_CHECK(launch_hooke_stress(kinds.device, exx_values.device, right_exx_index.device,
                                   right_exx_values.device, sides.device, left_eyy_values.device,
                                   other_eyy_values.device, other_sides.device, exy_values.device,
                                   right_exy_values.device, measurements.device, youngs_modulus, gain,
                                   ceiling, threads, n, responses.device, response_levels.device));
    print_output("responses", responses);
    print_output("response_levels", response_levels);
    return 0;
}
