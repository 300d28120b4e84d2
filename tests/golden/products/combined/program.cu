#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

// Return the logistic function of x.
__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// Backpropagate through the gates of an LSTM time step from cell state c_prev to c. Columns of `gates` hold
// the input, forget, candidate and output gates before their activations. grad_c holds the gradient of c on
// entry and that of c_prev on return; the gradient of the bias is added to bias_grad.
__global__ void lstm_gate_gradients(const float* __restrict__ gates, const float* __restrict__ c_prev,
                                    const float* __restrict__ c, const float* __restrict__ grad_h,
                                    float* __restrict__ grad_c, float* __restrict__ grad_gates,
                                    float* bias_grad, int batch, int units) {
    const int b = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch || j >= units) return;

    const size_t index = size_t(b) * 4 * units + j;
    const float i = sigmoid(gates[index]);
    const float f = sigmoid(gates[index + units]);
    const float g = tanhf(gates[index + 2 * size_t(units)]);
    const float o = sigmoid(gates[index + 3 * size_t(units)]);
    const size_t bj_index = size_t(b) * units + j;
    const float squashed = tanhf(c[bj_index]);
    const float grad_h_bj = grad_h[bj_index];
    const float d_state = grad_c[bj_index] + grad_h_bj * o * (1.0f - squashed * squashed);
    const float d_i = d_state * g * i * (1.0f - i);
    const float d_f = d_state * c_prev[bj_index] * f * (1.0f - f);
    const float d_g = d_state * i * (1.0f - g * g);
    const float d_o = grad_h_bj * squashed * o * (1.0f - o);
    grad_c[bj_index] = d_state * f;
    grad_gates[index] = d_i;
    grad_gates[index + units] = d_f;
    grad_gates[index + 2 * size_t(units)] = d_g;
    grad_gates[index + 3 * size_t(units)] = d_o;
    atomicAdd(&bias_grad[j], d_i);
    const int bias_grad_index = units + j;
    atomicAdd(&bias_grad[bias_grad_index], d_f);
    atomicAdd(&bias_grad[bias_grad_index + units], d_g);
    atomicAdd(&bias_grad[bias_grad_index + 2 * units], d_o);
}

cudaError_t launch_lstm_gate_gradients(const float* gates, const float* c_prev, const float* c,
                                       const float* grad_h, float* grad_c, float* grad_gates,
                                       float* bias_grad, int batch, int units,
                                       cudaStream_t stream = nullptr) {
    if (batch <= 0 || units <= 0) return cudaSuccess;
    // bias_grad has 4 * units elements, which an int must count.
    if (units > INT_MAX / 4) return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((units + block.x - 1) / block.x, (batch + block.y - 1) / block.y);
    lstm_gate_gradients<<<grid, block, 0, stream>>>(gates, c_prev, c, grad_h, grad_c, grad_gates, bias_grad,
                                                    batch, units);
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
    const int batch = 18, units = 64;
    Array<float> gates(batch * (4 * units)), c_prev(batch * units), c(batch * units), grad_h(batch * units),
        grad_c(batch * units), grad_gates(batch * (4 * units)), bias_grad(4 * units);
    fill_uniform(gates, 0x2370168f, -2.0, 2.0);
    fill_uniform(c_prev, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(c, 0x8a2e10de, -2.0, 2.0);
    fill_uniform(grad_h, 0x86a00a5c, 0.1, 1.0);
    fill_uniform(grad_c, 0x14cd5bc2, 0.1, 1.0);
    CUDA_CHECK(launch_lstm_gate_gradients(gates.device, c_prev.device, c.device, grad_h.device, grad_c.device,
                                          grad_gates.device, bias_grad.device, batch, units));
    print_output("grad_c", grad_c);
    print_output("grad_gates", grad_gates);
    print_output("bias_grad", bias_grad);
    return 0;
}
