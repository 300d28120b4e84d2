#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// What is known of all elements.
struct SampleState {
    const float* hard_labels;
    const float* partner_labels;
    const float* logits;
    float* weighted_losses;
};

constexpr float MIX = 0.6f;

// Mix the label with that of a partner.
__device__ float mixed_label(float hard_label, float partner_label) {
    return MIX * hard_label + (1.0f - MIX) * partner_label;
}

// Masks the loss of each sample where the label is uncertain. The loss is computed by the modified Huber
// function of the margin.
__global__ void sample_weighted_loss(SampleState state, float confidence, int n) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= n) return;

    const float hard_label = state.hard_labels[sample];
    const float partner_label = state.partner_labels[sample];
    const float label = mixed_label(hard_label, partner_label);
    const float logit = state.logits[sample];
    const float margin = (2.0f * label - 1.0f) * logit;
    const float gap = fmaxf(1.0f - margin, 0.0f);
    const float loss = margin < -1.0f ? -4.0f * margin : gap * gap;
    float weighted_loss = 0.0f;
    if (fabsf(label - 0.5f) > confidence) {
        weighted_loss = loss;
    }
    state.weighted_losses[sample] = weighted_loss;
}

cudaError_t launch_sample_weighted_loss(SampleState state, float confidence, int n,
                                        cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sample_weighted_loss<<<grid, block, 0, stream>>>(state, confidence, n);
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
    const int n = 1000;
    Array<float> state_hard_labels(n), state_partner_labels(n), state_logits(n), state_weighted_losses(n);
    SampleState state{};
    const float confidence = 0.16251352f;
    fill_uniform(state_hard_labels, 0x2370168f, 0.0, 1.0);
    fill_uniform(state_partner_labels, 0x9c9df0a2, 0.0, 1.0);
    fill_uniform(state_logits, 0x8a2e10de, -4.0, 4.0);
    state.hard_labels = state_hard_labels.device;
    state.partner_labels = state_partner_labels.device;
    state.logits = state_logits.device;
    state.weighted_losses = state_weighted_losses.device;
    CUDA_CHECK(launch_sample_weighted_loss(state, confidence, n));
    state_weighted_losses.download();
    double sum = 0.0;
    for (size_t i = 0; i < state_weighted_losses.count; ++i) sum += state_weighted_losses.host[i];
    std::printf("state.weighted_losses: first %g, last %g, sum %.9g\n", state_weighted_losses.host[0],
                state_weighted_losses.host[state_weighted_losses.count - 1], sum);
    return 0;
}
