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

// Count the pixels of each class by corner flag. Uses the corner detection by non-maximum suppression.
// Precondition: elements of class_ids lie in [0, 16).
__global__ void count_corner_maximum_in_groups(const float* __restrict__ corner_responses,
                                               const int* __restrict__ class_ids, float threshold, int rows,
                                               int cols, int* counts) {
    // Bins of the block, so that it makes one atomic a bin on the array that all blocks share.
    __shared__ int shared_counts[32];
    const int thread_in_block = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread_in_block < 32) shared_counts[thread_in_block] = 0;
    __syncthreads();

    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < cols) {
        for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += gridDim.y * blockDim.y) {
            const int index = i * cols + j;
            const float corner_response = corner_responses[index];
            int corner_flag = corner_response > threshold ? 1 : 0;
            for (int a = -1; a < 2; ++a) {
                for (int b = -1; b < 2; ++b) {
                    if (corner_responses[min(max(i + a, 0), rows - 1) * cols + min(max(j + b, 0), cols - 1)] >
                        corner_response) {
                        corner_flag = 0;
                    }
                }
            }
            atomicAdd(&shared_counts[class_ids[index] * 2 + corner_flag], 1);
        }
    }

    __syncthreads();
    if (thread_in_block < 32) atomicAdd(&counts[thread_in_block], shared_counts[thread_in_block]);
}

cudaError_t launch_count_corner_maximum_in_groups(const float* corner_responses, const int* class_ids,
                                                  float threshold, int rows, int cols, int* counts,
                                                  cudaStream_t stream = nullptr) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    // A grid has up to 65,535 blocks along y: threads stride over what is beyond them.
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x,
                    std::min<unsigned>((rows + block.y - 1) / block.y, 65535));
    count_corner_maximum_in_groups<<<grid, block, 0, stream>>>(corner_responses, class_ids, threshold, rows,
                                                               cols, counts);
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
    const int rows = 30, cols = 34, num_bins = 2, classes = 16;
    Array<float> corner_responses(rows * cols);
    Array<int> class_ids(rows * cols), counts(classes * num_bins);
    const float threshold = 0.41615158f;
    fill_uniform(corner_responses, 0x2370168f, -0.5, 1.0);
    for (size_t i = 0; i < class_ids.count; ++i) class_ids.host[i] = pcg(0x9c9df0a2 + i) % classes;
    class_ids.upload();
    CUDA_CHECK(launch_count_corner_maximum_in_groups(corner_responses.device, class_ids.device, threshold,
                                                     rows, cols, counts.device));
    counts.download();
    double sum = 0.0;
    for (size_t i = 0; i < counts.count; ++i) sum += counts.host[i];
    std::printf("counts: first %g, last %g, sum %.9g\n", double(counts.host[0]),
                double(counts.host[counts.count - 1]), sum);
    return 0;
}
