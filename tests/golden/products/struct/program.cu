#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// One of several choices.
struct Move {
    int label;
    float gain;
    float cost;
};

constexpr float WEIGHT = 1.6f;

// Highest score of 4 candidates whose label is not skipped, and which one it is. The level of the top score
// in steps of 1/8, rounded, is stored as well.
__global__ void best_candidate(const Move* __restrict__ candidates, int* __restrict__ choices_made,
                               float* __restrict__ top_scores, int* __restrict__ top_score_levels, int n,
                               int choices) {
    const int agent = blockIdx.x * blockDim.x + threadIdx.x;
    if (agent >= n) return;

    float best_score = -1000.0f;
    int chosen = 0;
    for (int c = 0; c < 4; ++c) {
        const Move option = candidates[size_t(agent) * choices + c];
        if (option.label % 4 == 0) {
            continue;
        }
        const float score = option.gain - WEIGHT * option.cost;
        if (score > best_score) {
            best_score = score;
            chosen = c;
        }
    }
    choices_made[agent] = chosen;
    top_scores[agent] = best_score;
    top_score_levels[agent] = int(ceilf(best_score * 8.0f - 0.5f));
}

cudaError_t launch_best_candidate(const Move* candidates, int* choices_made, float* top_scores,
                                  int* top_score_levels, int n, int choices, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    best_candidate<<<grid, block, 0, stream>>>(candidates, choices_made, top_scores, top_score_levels, n,
                                               choices);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

double random_uniform(unsigned counter, double low, double high) {
    return low + (pcg(counter) >> 8) * 0x1p-24 * (high - low);
}

int random_integer(unsigned counter, int low, int high) { return low + pcg(counter) % unsigned(high - low); }

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

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, choices = 4;
    Array<Move> candidates(n * choices);
    Array<int> choices_made(n), top_score_levels(n);
    Array<float> top_scores(n);
    for (size_t i = 0; i < candidates.count; ++i) {
        Move& element = candidates.host[i];
        const unsigned counter = 0x2370168f + 3 * i;
        element.label = random_integer(counter, 0, 100);
        element.gain = random_uniform(counter + 1, 0.0, 3.0);
        element.cost = random_uniform(counter + 2, 0.0, 4.0);
    }
    candidates.upload();
    CUDA_CHECK(launch_best_candidate(candidates.device, choices_made.device, top_scores.device,
                                     top_score_levels.device, n, choices));
    print_output("choices_made", choices_made);
    print_output("top_scores", top_scores);
    print_output("top_score_levels", top_score_levels);
    return 0;
}
