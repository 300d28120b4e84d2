#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

constexpr int ORDER = 12;

// Solve the regularized systems (A A^T + damping I) x = b of a batch by Cholesky factorization. Each system
// has ORDER unknowns.
__global__ void regularized_solve_batch(const float* __restrict__ matrices, float damping,
                                        const float* __restrict__ right_sides,
                                        float* __restrict__ solutions) {
    const int batch = blockIdx.x;
    const int tid = threadIdx.x;
    __shared__ float a[ORDER][ORDER + 1];       // padded: the elements of a column lie in different banks
    __shared__ float factor[ORDER][ORDER + 1];  // padded: the elements of a column lie in different banks
    __shared__ float cholesky_solve[ORDER];
    for (int e = tid; e < ORDER * ORDER; e += blockDim.x) {
        const int row = e / ORDER;
        const int column = e % ORDER;
        a[row][column] = matrices[(batch * ORDER + row) * ORDER + column];
    }
    __syncwarp();
    for (int e = tid; e < ORDER * ORDER; e += blockDim.x) {
        const int row = e / ORDER;
        const int column = e % ORDER;
        float gram = 0.0f;
        for (int k = 0; k < ORDER; ++k) {
            gram = fmaf(a[row][k], a[column][k], gram);
        }
        factor[row][column] = row == column ? gram + damping : gram;
    }
    // Cholesky factor, column by column: a root, then what it divides.
    for (int j = 0; j < ORDER; ++j) {
        __syncwarp();
        float root = factor[j][j];
        for (int k = 0; k < j; ++k) {
            root -= factor[j][k] * factor[j][k];
        }
        root = sqrtf(root);
        const float scale = 1.0f / root;
        __syncwarp();
        const int i = j + tid;
        if (i < ORDER) {
            float rest = factor[i][j];
            for (int k = 0; k < j; ++k) {
                rest -= factor[i][k] * factor[j][k];
            }
            factor[i][j] = i == j ? root : rest * scale;
            if (i != j) {
                factor[j][i] = 0.0f;
            }
        }
    }
    const int index = batch * ORDER + tid;
    if (tid < ORDER) cholesky_solve[tid] = right_sides[index];
    // Forward substitution.
    for (int j = 0; j < ORDER; ++j) {
        __syncwarp();
        const float rest = cholesky_solve[j];
        const float known = factor[j][j] != 0.0f ? rest / factor[j][j] : rest;
        __syncwarp();
        const int i = j + tid;
        if (i < ORDER) cholesky_solve[i] = i == j ? known : cholesky_solve[i] - factor[i][j] * known;
    }
    // Back substitution.
    for (int j = ORDER - 1; j >= 0; --j) {
        __syncwarp();
        const float rest = cholesky_solve[j];
        const float known = factor[j][j] != 0.0f ? rest / factor[j][j] : rest;
        __syncwarp();
        const int i = tid;
        if (i <= j) cholesky_solve[i] = i == j ? known : cholesky_solve[i] - factor[j][i] * known;
    }
    __syncwarp();
    if (tid < ORDER) solutions[index] = cholesky_solve[tid];
}

cudaError_t launch_regularized_solve_batch(const float* matrices, float damping, const float* right_sides,
                                           float* solutions, int batch_count, cudaStream_t stream = nullptr) {
    if (batch_count <= 0) return cudaSuccess;
    if (batch_count > INT_MAX / ORDER / ORDER) return cudaErrorInvalidValue;
    // The kernel is written for blocks of this size.
    constexpr unsigned block = 32;
    const unsigned grid = batch_count;
    regularized_solve_batch<<<grid, block, 0, stream>>>(matrices, damping, right_sides, solutions);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int batch = 16;
    Array<float> matrices(batch * 12 * 12), right_sides(batch * 12), solutions(batch * 12);
    const float damping = 2.5126438f;
    fill_uniform(matrices, 0x2370168f, -1.0, 1.0);
    fill_uniform(right_sides, 0x8a2e10de, -1.0, 1.0);
    CUDA_CHECK(launch_regularized_solve_batch(matrices.device, damping, right_sides.device, solutions.device,
                                              batch));
    solutions.download();
    double sum = 0.0;
    for (size_t i = 0; i < solutions.count; ++i) sum += solutions.host[i];
    std::printf("solutions: first %g, last %g, sum %.9g\n", solutions.host[0],
                solutions.host[solutions.count - 1], sum);
    return 0;
}
