#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

// Return the logistic function of x.
__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// Backpropagate through an LSTM time step that led from cell state c_prev to c. Columns of `gates` hold the
// input, forget, candidate and output gates before their activations. grad_c holds the gradient of c on entry
// and that of c_prev on return; the gradient of the bias is added to bias_grad. A thread takes every parts-th
// sample of a unit.
__global__ void lstm_gate_gradients(const float* __restrict__ gates, const float* __restrict__ c_prev,
                                    const float* __restrict__ c, const float* __restrict__ grad_h,
                                    float* __restrict__ grad_c, int parts, float* __restrict__ grad_gates,
                                    float* bias_grad, int units, int batch) {
    const int part = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (part >= parts || j >= units) return;

    float i_total = 0.0f;
    float f_total = 0.0f;
    float g_total = 0.0f;
    float o_total = 0.0f;
    for (int b = part; b < batch; b += parts) {
        const size_t bj_index = size_t(b) * 4 * units + j;
        const float i = sigmoid(gates[bj_index]);
        const float f = sigmoid(gates[bj_index + units]);
        const float g = tanhf(gates[bj_index + 2 * size_t(units)]);
        const float o = sigmoid(gates[bj_index + 3 * size_t(units)]);
        const size_t j_index = size_t(b) * units + j;
        const float squashed = tanhf(c[j_index]);
        const float grad_h_b = grad_h[j_index];
        const float d_state = grad_c[j_index] + grad_h_b * o * (1.0f - squashed * squashed);
        const float d_i = d_state * g * i * (1.0f - i);
        const float d_f = d_state * c_prev[j_index] * f * (1.0f - f);
        const float d_g = d_state * i * (1.0f - g * g);
        const float d_o = grad_h_b * squashed * o * (1.0f - o);
        grad_c[j_index] = d_state * f;
        grad_gates[bj_index] = d_i;
        grad_gates[bj_index + units] = d_f;
        grad_gates[bj_index + 2 * size_t(units)] = d_g;
        grad_gates[bj_index + 3 * size_t(units)] = d_o;
        i_total += d_i;
        f_total += d_f;
        g_total += d_g;
        o_total += d_o;
    }
    atomicAdd(&bias_grad[j], i_total);
    const int index = units + j;
    atomicAdd(&bias_grad[index], f_total);
    atomicAdd(&bias_grad[index + units], g_total);
    atomicAdd(&bias_grad[index + 2 * units], o_total);
}

cudaError_t launch_lstm_gate_gradients(const float* gates, const float* c_prev, const float* c,
                                       const float* grad_h, float* grad_c, int parts, float* grad_gates,
                                       float* bias_grad, int units, int batch,
                                       cudaStream_t stream = nullptr) {
    if (parts <= 0 || units <= 0) return cudaSuccess;
    // bias_grad has 4 * units elements, which an int must count.
    if (batch > INT_MAX - parts || units > INT_MAX / 4) return cudaErrorInvalidValue;
    const dim3 block(32, 8);
    const dim3 grid((units + block.x - 1) / block.x, (parts + block.y - 1) / block.y);
    lstm_gate_gradients<<<grid, block, 0, stream>>>(gates, c_prev, c, grad_h, grad_c, parts, grad_gates,
                                                    bias_grad, units, batch);
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
    const int batch = 18, units = 64, parts = 16;
    Array<float> gates(batch * (4 * units)), c_prev(batch * units), c(batch * units), grad_h(batch * units),
        grad_c(batch * units), grad_gates(batch * (4 * units)), bias_grad(4 * units);
    fill_uniform(gates, 0x2370168f, -2.0, 2.0);
    fill_uniform(c_prev, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(c, 0x8a2e10de, -2.0, 2.0);
    fill_uniform(grad_h, 0x86a00a5c, 0.1, 1.0);
    fill_uniform(grad_c, 0x14cd5bc2, 0.1, 1.0);
    CUDA_CHECK(launch_lstm_gate_gradients(gates.device, c_prev.device, c.device, grad_h.device, grad_c.device,
                                          parts, grad_gates.device, bias_grad.device, units, batch));
    print_output("grad_c", grad_c);
    print_output("grad_gates", grad_gates);
    print_output("bias_grad", bias_grad);
    return 0;
}
