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

// Output by adding the skip connection under stochastic depth.
__device__ float stochastic_depth(float activation, float skip, int kept, float drop_rate) {
    return skip + (kept == 1 ? activation / (1.0f - drop_rate) : 0.0f);
}

// Compute the output of each unit by adding the skip connection under stochastic depth. Also store the output
// to the levels that eight bits can hold.
__global__ void stochastic_depth_kernel(const float* __restrict__ activations,
                                        const float* __restrict__ skips, const int* __restrict__ keep_mask,
                                        float drop_rate, float step, float* __restrict__ layer_outputs,
                                        float* __restrict__ dequantized_outputs, int batch, int height,
                                        int width, int channels) {
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width || c >= channels) return;

    for (int slice = blockIdx.z * blockDim.z + threadIdx.z; slice < batch * height;
         slice += gridDim.z * blockDim.z) {
        const int b = slice / height;
        const int y = slice % height;
        const size_t index = ((size_t(b) * height + y) * width + x) * channels + c;
        const float activation = activations[index];
        const float skip = skips[index];
        const int kept = keep_mask[index];
        const float layer_output = stochastic_depth(activation, skip, kept, drop_rate);
        layer_outputs[index] = layer_output;
        const float dequantized_output = step * fminf(fmaxf(-127.0f, rintf(layer_output / step)), 127.0f);
        dequantized_outputs[index] = dequantized_output;
    }
}

cudaError_t launch_stochastic_depth_kernel(const float* activations, const float* skips, const int* keep_mask,
                                           float drop_rate, float step, float* layer_outputs,
                                           float* dequantized_outputs, int batch, int height, int width,
                                           int channels, cudaStream_t stream = nullptr) {
    const int64_t threads_z = int64_t(batch) * height;
    if (threads_z == 0 || width == 0 || channels == 0) return cudaSuccess;
    if (threads_z > INT_MAX) return cudaErrorInvalidConfiguration;
    // A block is made for rows of 8: in a wider one, threads would idle.
    // A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them.
    const dim3 block(8, 16, 2);
    const dim3 grid((channels + block.x - 1) / block.x, (width + block.y - 1) / block.y,
                    std::min<unsigned>((threads_z + block.z - 1) / block.z, 65535));
    stochastic_depth_kernel<<<grid, block, 0, stream>>>(activations, skips, keep_mask, drop_rate, step,
                                                        layer_outputs, dequantized_outputs, batch, height,
                                                        width, channels);
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
    const int batch = 2, height = 4, width = 16, channels = 8;
    Array<float> activations(batch * height * width * channels), skips(batch * height * width * channels),
        layer_outputs(batch * height * width * channels),
        dequantized_outputs(batch * height * width * channels);
    Array<int> keep_mask(batch * height * width * channels);
    const float drop_rate = 0.27099913f, step = 0.096885145f;
    fill_uniform(activations, 0x2370168f, -2.0, 3.0);
    fill_uniform(skips, 0x9c9df0a2, -2.0, 2.0);
    for (size_t i = 0; i < keep_mask.count; ++i) keep_mask.host[i] = pcg(0x8a2e10de + i) % 2;
    keep_mask.upload();
    CUDA_CHECK(launch_stochastic_depth_kernel(activations.device, skips.device, keep_mask.device, drop_rate,
                                              step, layer_outputs.device, dequantized_outputs.device, batch,
                                              height, width, channels));
    print_output("layer_outputs", layer_outputs);
    print_output("dequantized_outputs", dequantized_outputs);
    return 0;
}
