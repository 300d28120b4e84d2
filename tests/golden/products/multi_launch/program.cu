#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

// cg_solver: Run two iterations of the conjugate gradient method on a tridiagonal system, from x = 0.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Sum of the values of the threads of a warp, for each of them.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first.
__device__ inline float block_reduce_sum(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f) : value;
}

// Start from x = 0, where the residual is b.
__global__ void initialize(const float* __restrict__ b, float* __restrict__ x, float* __restrict__ r,
                           float* __restrict__ p, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    x[i] = 0.0f;
    r[i] = b[i];
    p[i] = b[i];
}

cudaError_t launch_initialize(const float* b, float* x, float* r, float* p, int size, cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    initialize<<<grid, block, 0, stream>>>(b, x, r, p, size);
    return cudaGetLastError();
}

// Add the inner product of two vectors to result[0].
__global__ void dot(const float* u, const float* v, float* result, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float thread_total = i < size ? u[i] * v[i] : 0.0f;

    // One atomic a block: those of all threads would queue for one address.
    const float block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(result, block_total);
}

cudaError_t launch_dot(const float* u, const float* v, float* result, int size, cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    dot<<<grid, block, 0, stream>>>(u, v, result, size);
    return cudaGetLastError();
}

// Multiply by the tridiagonal matrix with the given diagonal and -1 on both sides of it.
__global__ void apply_matrix(const float* __restrict__ p, const float* __restrict__ diagonal,
                             float* __restrict__ ap, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    float total = diagonal[i] * p[i];
    if (i > 0) {
        total -= p[i - 1];
    }
    if (i < size - 1) {
        total -= p[i + 1];
    }
    ap[i] = total;
}

cudaError_t launch_apply_matrix(const float* p, const float* diagonal, float* ap, int size,
                                cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    apply_matrix<<<grid, block, 0, stream>>>(p, diagonal, ap, size);
    return cudaGetLastError();
}

// Step along the search direction, and update the residual.
__global__ void update_solution(const float* __restrict__ p, const float* __restrict__ ap,
                                const float* __restrict__ rz, const float* __restrict__ pap,
                                float* __restrict__ x, float* __restrict__ r, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    const float alpha = rz[0] / pap[0];
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
}

cudaError_t launch_update_solution(const float* p, const float* ap, const float* rz, const float* pap,
                                   float* x, float* r, int size, cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    update_solution<<<grid, block, 0, stream>>>(p, ap, rz, pap, x, r, size);
    return cudaGetLastError();
}

// Make the next search direction conjugate to the previous ones.
__global__ void update_direction(const float* __restrict__ r, const float* __restrict__ new_rz,
                                 const float* __restrict__ rz, float* __restrict__ p, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;

    p[i] = r[i] + new_rz[0] / rz[0] * p[i];
}

cudaError_t launch_update_direction(const float* r, const float* new_rz, const float* rz, float* p, int size,
                                    cudaStream_t stream) {
    if (size <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (size + block - 1) / block;
    update_direction<<<grid, block, 0, stream>>>(r, new_rz, rz, p, size);
    return cudaGetLastError();
}

cudaError_t launch_cg_solver(const float* b, const float* diagonal, float* x, float* r, float* p, float* ap,
                             float* rz, float* pap, float* new_rz, int n, cudaStream_t stream = nullptr) {
    const int size = std::min(n, 4093) + 4;
    if (const cudaError_t status = launch_initialize(b, x, r, p, size, stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(rz, 0, sizeof(*rz), stream)) return status;
    if (const cudaError_t status = launch_dot(r, r, rz, size, stream)) return status;
    if (const cudaError_t status = launch_apply_matrix(p, diagonal, ap, size, stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(pap, 0, sizeof(*pap), stream)) return status;
    if (const cudaError_t status = launch_dot(p, ap, pap, size, stream)) return status;
    if (const cudaError_t status = launch_update_solution(p, ap, rz, pap, x, r, size, stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(new_rz, 0, sizeof(*new_rz), stream)) return status;
    if (const cudaError_t status = launch_dot(r, r, new_rz, size, stream)) return status;
    if (const cudaError_t status = launch_update_direction(r, new_rz, rz, p, size, stream)) return status;
    if (const cudaError_t status = launch_apply_matrix(p, diagonal, ap, size, stream)) return status;
    if (const cudaError_t status = cudaMemsetAsync(pap, 0, sizeof(*pap), stream)) return status;
    if (const cudaError_t status = launch_dot(p, ap, pap, size, stream)) return status;
    if (const cudaError_t status = launch_update_solution(p, ap, new_rz, pap, x, r, size, stream))
        return status;
    if (const cudaError_t status = cudaMemsetAsync(rz, 0, sizeof(*rz), stream)) return status;
    if (const cudaError_t status = launch_dot(r, r, rz, size, stream)) return status;
    if (const cudaError_t status = launch_update_direction(r, rz, new_rz, p, size, stream)) return status;
    return cudaSuccess;
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int n = 1000, size = 1004;
    Array<float> b(size), diagonal(size), x(size), r(size), p(size), ap(size), rz(1), pap(1), new_rz(1);
    fill_uniform(b, 0x2370168f, -1.0, 1.0);
    fill_uniform(diagonal, 0x9c9df0a2, 2.5, 4.0);
    CUDA_CHECK(launch_cg_solver(b.device, diagonal.device, x.device, r.device, p.device, ap.device, rz.device,
                                pap.device, new_rz.device, n));
    print_output("x", x);
    print_output("r", r);
    print_output("p", p);
    print_output("ap", ap);
    rz.download();
    std::printf("rz: %.9g\n", rz.host[0]);
    pap.download();
    std::printf("pap: %.9g\n", pap.host[0]);
    new_rz.download();
    std::printf("new_rz: %.9g\n", new_rz.host[0]);
    return 0;
}
