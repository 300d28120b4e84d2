#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Return the output of PCG-XSH-RR, a word rotated by the highest bits of the state.
__device__ uint32_t permute(uint64_t state) {
    const uint32_t word = uint32_t(((state >> 18) ^ state) >> 27);
    const uint32_t turn = uint32_t(state >> 59);
    return (word >> turn) | (word << ((32u - turn) & 31u));
}

// Return the upper 23 bits of a word as a number strictly between 0 and 1.
__device__ float to_unit_interval(uint32_t bits) { return (float(bits >> 9) + 0.5f) / 8388608.0f; }

// Generate a sequence of normal numbers, each from two words, per thread with PCG-XSH-RR and 64 bits of
// state. draws[k, i] is draw k of thread i. All threads share the increment that stream sets.
__global__ void pcg_xsh_rr_normals(const uint32_t* __restrict__ seeds, uint32_t stream,
                                   float* __restrict__ draws, int sequences, int num_draws) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= sequences) return;

    const uint64_t increment = (uint64_t(stream) << 1) | 1ull;
    uint64_t state = (uint64_t(seeds[i]) + increment) * 6364136223846793005ull + increment;
    for (int k = 0; k < num_draws; ++k) {
        const uint32_t word = permute(state);
        state = state * 6364136223846793005ull + increment;
        const uint32_t other_word = permute(state);
        state = state * 6364136223846793005ull + increment;
        const float radius = sqrtf(-2.0f * logf(to_unit_interval(word)));
        draws[k * sequences + i] = radius * cosf(2.0f * 3.1415927f * to_unit_interval(other_word));
    }
}

cudaError_t launch_pcg_xsh_rr_normals(const uint32_t* seeds, uint32_t stream, float* draws, int sequences,
                                      int num_draws, cudaStream_t launch_stream = nullptr) {
    if (sequences <= 0) return cudaSuccess;
    if (int64_t(num_draws) * sequences > INT_MAX) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (sequences + block - 1) / block;
    pcg_xsh_rr_normals<<<grid, block, 0, launch_stream>>>(seeds, stream, draws, sequences, num_draws);
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

int main() {
    const int sequences = 251, num_draws = 4;
    Array<uint32_t> seeds(sequences);
    Array<float> draws(num_draws * sequences);
    const uint32_t stream = 593u;
    for (size_t i = 0; i < seeds.count; ++i) seeds.host[i] = pcg(0x2370168f + i) % 4294967295;
    seeds.upload();
    CUDA_CHECK(launch_pcg_xsh_rr_normals(seeds.device, stream, draws.device, sequences, num_draws));
    draws.download();
    double sum = 0.0;
    for (size_t i = 0; i < draws.count; ++i) sum += draws.host[i];
    std::printf("draws: first %g, last %g, sum %.9g\n", draws.host[0], draws.host[draws.count - 1], sum);
    return 0;
}
