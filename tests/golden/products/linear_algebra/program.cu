#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Compute the new value of each entry as the old value less the update. The inner product is computed by
// double centering of squared distances.
__global__ void compute_entry(const float* __restrict__ matrix_entries, const float* __restrict__ left,
                              const float* __restrict__ right_rows, const float* __restrict__ row_means,
                              const float* __restrict__ column_means, int num_inner, float grand_mean,
                              float* __restrict__ new_entries, int rows, int cols) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= cols) return;

    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += gridDim.y * blockDim.y) {
        const int index = i * cols + j;
        const float matrix_entry = matrix_entries[index];
        float squared_distance = 0.0f;
        for (int mid = 0; mid < num_inner; ++mid) {
            const float gap = left[i * num_inner + mid] - right_rows[j * num_inner + mid];
            squared_distance += gap * gap;
        }
        const float means = row_means[i] + column_means[j];
        const float update = -0.5f * (squared_distance - means + grand_mean);
        const float new_entry = matrix_entry - update;
        new_entries[index] = new_entry;
    }
}

cudaError_t launch_compute_entry(const float* matrix_entries, const float* left, const float* right_rows,
                                 const float* row_means, const float* column_means, int num_inner,
                                 float grand_mean, float* new_entries, int rows, int cols,
                                 cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX || int64_t(rows) * num_inner > INT_MAX ||
        int64_t(cols) * num_inner > INT_MAX)
        return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x,
                    std::min<unsigned>((rows + block.y - 1) / block.y, 65535));
    compute_entry<<<grid, block, 0, stream>>>(matrix_entries, left, right_rows, row_means, column_means,
                                              num_inner, grand_mean, new_entries, rows, cols);
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

int main() {
    const int rows = 16, cols = 64, inner = 8;
    Array<float> matrix_entries(rows * cols), left(rows * inner), right_rows(cols * inner), row_means(rows),
        column_means(cols), new_entries(rows * cols);
    const float grand_mean = 0.5034923f;
    fill_uniform(matrix_entries, 0x2370168f, -1.0, 1.0);
    fill_uniform(left, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(right_rows, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(row_means, 0x86a00a5c, -1.0, 1.0);
    fill_uniform(column_means, 0x14cd5bc2, -1.0, 1.0);
    CUDA_CHECK(launch_compute_entry(matrix_entries.device, left.device, right_rows.device, row_means.device,
                                    column_means.device, inner, grand_mean, new_entries.device, rows, cols));
    new_entries.download();
    double sum = 0.0;
    for (size_t i = 0; i < new_entries.count; ++i) sum += new_entries.host[i];
    std::printf("new_entries: first %g, last %g, sum %.9g\n", new_entries.host[0],
                new_entries.host[new_entries.count - 1], sum);
    return 0;
}
