#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int WIDTH = 96;
constexpr int BLOCK = 64;

// Largest of the values of the threads of a warp, for each of them.
__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

// Largest of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline float block_reduce_max(float value) {
    __shared__ float partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_max(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_max(partial[lane < blockDim.x / 32 ? lane : 0]) : value;
}

// The place that the thread of the block with the largest value has, the first of them. A barrier must lie
// between two calls.
__device__ inline int block_argmax(float value, int place) {
    __shared__ float values[32];
    __shared__ int places[32];
    value = fmaxf(value, -INFINITY);  // what is no number is last
    for (int offset = 1; offset < 32; offset *= 2) {
        const float other = __shfl_down_sync(0xffffffffu, value, offset);
        const int its_place = __shfl_down_sync(0xffffffffu, place, offset);
        if (other > value) {
            value = other;
            place = its_place;
        }
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = value;
        places[threadIdx.x / 32] = place;
    }
    __syncthreads();
    const int warps = blockDim.x / 32;
    int best = 0;
    for (int warp = 1; warp < warps; ++warp) {
        if (values[warp] > values[best]) best = warp;
    }
    return places[best];
}

// Largest element of each row and its column; a block works on a row.
__global__ void find_row_maxima(const float* __restrict__ logits, float* __restrict__ values,
                                int* __restrict__ indices) {
    const int sample = blockIdx.x;
    const int tid = threadIdx.x;
    float row_tile[2];
    float own_largest = NAN;  // fmin and fmax pass over NAN
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const int e = tid + i * BLOCK;
        if (e < WIDTH) {
            row_tile[i] = logits[size_t(sample) * WIDTH + e];
            own_largest = fmaxf(own_largest, row_tile[i]);
        }
    }
    const float largest = block_reduce_max(own_largest);
    if (tid == 0) values[sample] = largest;
    float own_largest2 = NAN;
    int place = tid;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const int e = tid + i * BLOCK;
        if (e < WIDTH) {
            const float value = row_tile[i];
            if (value > own_largest2) place = e;
            own_largest2 = fmaxf(own_largest2, value);
        }
    }
    const int argmax = block_argmax(own_largest2, place);
    if (tid == 0) indices[sample] = argmax;
}

cudaError_t launch_find_row_maxima(const float* logits, float* values, int* indices, int rows,
                                   cudaStream_t stream = nullptr) {
    if (rows == 0) return cudaSuccess;
    constexpr unsigned block = BLOCK;
    const unsigned grid = rows;
    find_row_maxima<<<grid, block, 0, stream>>>(logits, values, indices);
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
    const int rows = 18;
    Array<float> logits(rows * 96), values(rows);
    Array<int> indices(rows);
    fill_uniform(logits, 0x2370168f, -4.0, 4.0);
    CUDA_CHECK(launch_find_row_maxima(logits.device, values.device, indices.device, rows));
    print_output("values", values);
    print_output("indices", indices);
    return 0;
}
