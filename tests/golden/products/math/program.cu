#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// Evaluate the real spherical harmonics up to degree 1 in each direction; basis[k, i] is function k in
// direction i. Within a degree, functions are in ascending order of m. View directions are unit vectors. The
// Condon-Shortley phase is left out.
__global__ void real_sh_basis(const float3* __restrict__ view_directions, float* __restrict__ basis,
                              int num_view_directions) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_view_directions) return;

    const float3 n = view_directions[i];
    const float x = n.x;
    const float y = n.y;
    const float z = n.z;
    basis[i] = 0.28209479f;
    basis[num_view_directions + i] = 0.48860251f * y;
    basis[size_t(2) * num_view_directions + i] = 0.48860251f * z;
    basis[size_t(3) * num_view_directions + i] = 0.48860251f * x;
}

cudaError_t launch_real_sh_basis(const float3* view_directions, float* basis, int num_view_directions,
                                 cudaStream_t stream = nullptr) {
    if (num_view_directions <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_view_directions + block - 1) / block;
    real_sh_basis<<<grid, block, 0, stream>>>(view_directions, basis, num_view_directions);
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

template <typename T>
void scale_to_unit_length(T* x, int count) {
    double square = 0.0;
    for (int k = 0; k < count; ++k) square += double(x[k]) * x[k];
    const double length = std::sqrt(square);
    for (int k = 0; k < count; ++k) x[k] = x[k] / length;
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

// Of every `total` numbers, those from `first` on become a unit vector.
void normalize_each(Array<float3, float>& x, int total, int first) {
    for (size_t i = first; i < x.count; i += total) scale_to_unit_length(&x.host[i], total - first);
    x.upload();
}

int main() {
    const int num_view_directions = 1000;
    Array<float3, float> view_directions(num_view_directions);
    Array<float> basis(4 * num_view_directions);
    fill_uniform(view_directions, 0x2370168f, -1.0, 1.0);
    normalize_each(view_directions, 3, 0);
    CUDA_CHECK(launch_real_sh_basis(view_directions.device, basis.device, num_view_directions));
    basis.download();
    double sum = 0.0;
    for (size_t i = 0; i < basis.count; ++i) sum += basis.host[i];
    std::printf("basis: first %g, last %g, sum %.9g\n", basis.host[0], basis.host[basis.count - 1], sum);
    return 0;
}
