#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

constexpr int WARPS = 8;

// Backpropagate through a maxout layer of two pieces: the gradient goes to the larger one, or to the first of
// equals. The gradients of both biases are added to first_bias_grad and second_bias_grad in the same pass: a
// thread takes every parts-th row of a column.
__global__ void backward_maxout(const float* __restrict__ first, const float* __restrict__ second,
                                const float* __restrict__ dy, int parts, float* __restrict__ first_grad,
                                float* __restrict__ second_grad, float* first_bias_grad,
                                float* second_bias_grad, int cols, int rows) {
    const int part = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float first_total = 0.0f;
    float second_total = 0.0f;
    if (part < parts && col < cols) {
        for (int row = part; row < rows; row += parts) {
            const size_t index = size_t(row) * cols + col;
            const float grad = dy[index];
            if (first[index] >= second[index]) {
                first_grad[index] = grad;
                second_grad[index] = 0.0f;
                first_total += grad;
            } else {
                first_grad[index] = 0.0f;
                second_grad[index] = grad;
                second_total += grad;
            }
        }
    }

    // One atomic per column of the block and each sum: one per thread would serialize on one address.
    __shared__ float shared_first_bias_grad[WARPS][32];
    __shared__ float shared_second_bias_grad[WARPS][32];
    shared_first_bias_grad[threadIdx.y][threadIdx.x] = first_total;
    shared_second_bias_grad[threadIdx.y][threadIdx.x] = second_total;
    __syncthreads();
    if (threadIdx.y == 0 && col < cols) {
        for (int warp = 1; warp < WARPS; ++warp) {
            first_total += shared_first_bias_grad[warp][threadIdx.x];
            second_total += shared_second_bias_grad[warp][threadIdx.x];
        }
        atomicAdd(&first_bias_grad[col], first_total);
        atomicAdd(&second_bias_grad[col], second_total);
    }
}

cudaError_t launch_backward_maxout(const float* first, const float* second, const float* dy, int parts,
                                   float* first_grad, float* second_grad, float* first_bias_grad,
                                   float* second_bias_grad, int cols, int rows,
                                   cudaStream_t stream = nullptr) {
    if (parts <= 0 || cols <= 0) return cudaSuccess;
    if (rows > INT_MAX - parts) return cudaErrorInvalidValue;
    const dim3 block(32, WARPS);
    const dim3 grid((cols + block.x - 1) / block.x, (parts + block.y - 1) / block.y);
    backward_maxout<<<grid, block, 0, stream>>>(first, second, dy, parts, first_grad, second_grad,
                                                first_bias_grad, second_bias_grad, cols, rows);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int rows = 33, cols = 128, parts = 8;
    Array<float> first(rows * cols), second(rows * cols), dy(rows * cols), first_grad(rows * cols),
        second_grad(rows * cols), first_bias_grad(cols), second_bias_grad(cols);
    fill_uniform(first, 0x2370168f, -2.0, 2.0);
    fill_uniform(second, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(dy, 0x8a2e10de, -0.5, 1.0);
    CUDA_CHECK(launch_backward_maxout(first.device, second.device, dy.device, parts, first_grad.device,
                                      second_grad.device, first_bias_grad.device, second_bias_grad.device,
                                      cols, rows));
    print_output("first_grad", first_grad);
    print_output("second_grad", second_grad);
    print_output("first_bias_grad", first_bias_grad);
    print_output("second_bias_grad", second_bias_grad);
    return 0;
}
