#include <cuda_runtime.h>
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

// Evaluate the logistic function.
__device__ float sigmoid(float z) { return 1.0f / (1.0f + expf(-z)); }

// Advance an LSTM layer by one time step. The weight columns hold the output, forget, input and candidate
// gates, in this order.
__global__ void lstm_step(const float* __restrict__ x, const float* __restrict__ h_prev,
                          const float* __restrict__ c_prev, const float* __restrict__ w_x,
                          const float* __restrict__ w_h, const float* __restrict__ bias,
                          float* __restrict__ h, float* __restrict__ c, int batch, int units, int depth) {
    const int b = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch || j >= units) return;

    float o = bias[j];
    const int index = units + j;
    float f = bias[index];
    float i = bias[index + units];
    float g = bias[index + 2 * units];
    const int row_start = b * depth;
    for (int k = 0; k < depth; ++k) {
        const int w_x_index = k * (4 * units) + j;
        const int x_index = row_start + k;
        o += w_x[w_x_index] * x[x_index];
        f += w_x[w_x_index + units] * x[x_index];
        i += w_x[w_x_index + 2 * units] * x[x_index];
        g += w_x[w_x_index + 3 * units] * x[x_index];
    }
    const int b_row_start = b * units;
    for (int k = 0; k < units; ++k) {
        const int w_h_index = k * (4 * units) + j;
        const int h_prev_index = b_row_start + k;
        o += w_h[w_h_index] * h_prev[h_prev_index];
        f += w_h[w_h_index + units] * h_prev[h_prev_index];
        i += w_h[w_h_index + 2 * units] * h_prev[h_prev_index];
        g += w_h[w_h_index + 3 * units] * h_prev[h_prev_index];
    }
    const int b_index = b_row_start + j;
    float state = c_prev[b_index];
    f = sigmoid(f);
    i = sigmoid(i);
    state = f * state + i * tanhf(g);
    c[b_index] = state;
    h[b_index] = sigmoid(o) * tanhf(state);
}

cudaError_t launch_lstm_step(const float* x, const float* h_prev, const float* c_prev, const float* w_x,
                             const float* w_h, const float* bias, float* h, float* c, int batch, int units,
                             int depth, cudaStream_t stream = nullptr) {
    if (batch <= 0 || units <= 0) return cudaSuccess;
    if (int64_t(batch) * depth > INT_MAX || int64_t(batch) * units > INT_MAX ||
        int64_t(depth) * units > INT_MAX / 4 || int64_t(units) * units > INT_MAX / 4)
        return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((units + block.x - 1) / block.x, (batch + block.y - 1) / block.y);
    lstm_step<<<grid, block, 0, stream>>>(x, h_prev, c_prev, w_x, w_h, bias, h, c, batch, units, depth);
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

void print_output(const char* name, Array<float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int batch = 18, units = 64, depth = 48;
    Array<float> x(batch * depth), h_prev(batch * units), c_prev(batch * units), w_x(depth * (4 * units)),
        w_h(units * (4 * units)), bias(4 * units), h(batch * units), c(batch * units);
    fill_uniform(x, 0x2370168f, -1.0, 1.0);
    fill_uniform(h_prev, 0x9c9df0a2, -1.0, 1.0);
    fill_uniform(c_prev, 0x8a2e10de, -2.0, 2.0);
    fill_uniform(w_x, 0x86a00a5c, -0.2, 0.2);
    fill_uniform(w_h, 0x14cd5bc2, -0.2, 0.2);
    fill_uniform(bias, 0xa44fd9fd, -0.2, 0.5);
    CUDA_CHECK(launch_lstm_step(x.device, h_prev.device, c_prev.device, w_x.device, w_h.device, bias.device,
                                h.device, c.device, batch, units, depth));
    print_output("h", h);
    print_output("c", c);
    return 0;
}
