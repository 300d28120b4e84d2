#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Sum of the values of a warp, returned to all of its threads.
__device__ inline double warp_sum(double value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of a block, returned to its first thread.
__device__ inline double block_reduce_sum(double value) {
    __shared__ double partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0) : value;
}

// Subtract the projections of a new Krylov vector w onto the rows of basis, as in classical Gram-Schmidt, and
// add the squared norm of what remains to norm_sq, which must start at zero. A second pass, with new
// projections and norm_sq set to zero again, makes w orthogonal to the rows to rounding error.
__global__ void subtract_projections(const double* __restrict__ basis, const double* __restrict__ projections,
                                     double* __restrict__ w, double* norm_sq, int n, int num_vectors) {
    double thread_total = 0.0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(n); i += gridDim.x * blockDim.x) {
        double rest = w[i];
        for (int k = 0; k < num_vectors; ++k) {
            rest -= projections[k] * basis[size_t(k) * n + i];
        }
        w[i] = rest;
        thread_total += rest * rest;
    }

    // One atomic per block: one per thread would serialize on one address.
    const double block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(norm_sq, block_total);
}

cudaError_t launch_subtract_projections(const double* basis, const double* projections, double* w,
                                        double* norm_sq, int n, int num_vectors,
                                        cudaStream_t stream = nullptr) {
    if (n <= 0) return cudaSuccess;
    // About 1,024 blocks keep a GPU busy: their threads stride over the other elements.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((n + block - 1) / block, 1024);
    subtract_projections<<<grid, block, 0, stream>>>(basis, projections, w, norm_sq, n, num_vectors);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000, num_vectors = 12;
    Array<double> basis(num_vectors * n), projections(num_vectors), w(n), norm_sq(1);
    fill_uniform(basis, 0x2370168f, -1.0, 1.0);
    fill_uniform(projections, 0x9c9df0a2, -0.5, 0.5);
    fill_uniform(w, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_subtract_projections(basis.device, projections.device, w.device, norm_sq.device, n,
                                           num_vectors));
    w.download();
    double sum = 0.0;
    for (size_t i = 0; i < w.count; ++i) sum += w.host[i];
    std::printf("w: first %g, last %g, sum %.9g\n", w.host[0], w.host[w.count - 1], sum);
    norm_sq.download();
    std::printf("norm_sq: %.9g\n", norm_sq.host[0]);
    return 0;
}
