#include <cuda_runtime.h>
#include <climits>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int DEPTH = 5;
constexpr int NUM_LEAF_LABELS = 32;

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// Label each sample with a decision tree in heap order, where the children of node k are 2k + 1 and 2k + 2.
// Samples are columns.
// Precondition: elements of split_features lie in [0, 8).
__global__ void decision_tree(const int* __restrict__ features, const int* __restrict__ split_features,
                              const int* __restrict__ thresholds, const int* __restrict__ leaf_labels,
                              int* __restrict__ labels, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    int node = 0;
    for (int level = 0; level < DEPTH; ++level) {
        if (features[split_features[wrap_index(node, 31)] * count + i] <= thresholds[wrap_index(node, 31)]) {
            node = 2 * node + 1;
        } else {
            node = 2 * node + 2;
        }
    }
    labels[i] = leaf_labels[wrap_index(node - 31, NUM_LEAF_LABELS)];
}

cudaError_t launch_decision_tree(const int* features, const int* split_features, const int* thresholds,
                                 const int* leaf_labels, int* labels, int count,
                                 cudaStream_t stream = nullptr) {
    if (count <= 0) return cudaSuccess;
    if (count > INT_MAX / 8) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    decision_tree<<<grid, block, 0, stream>>>(features, split_features, thresholds, leaf_labels, labels,
                                              count);
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

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int count = 127;
    Array<int> features(8 * count), split_features(31), thresholds(31), leaf_labels(32), labels(count);
    fill_integers(features, 0x2370168f, 0, 100);
    fill_integers(split_features, 0x9c9df0a2, 0, 8);
    fill_integers(thresholds, 0x8a2e10de, 20, 80);
    fill_integers(leaf_labels, 0x86a00a5c, 0, 10);
    CUDA_CHECK(launch_decision_tree(features.device, split_features.device, thresholds.device,
                                    leaf_labels.device, labels.device, count));
    labels.download();
    double sum = 0.0;
    for (size_t i = 0; i < labels.count; ++i) sum += labels.host[i];
    std::printf("labels: first %g, last %g, sum %.9g\n", double(labels.host[0]),
                double(labels.host[labels.count - 1]), sum);
    return 0;
}
