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

constexpr int COLS = 32;

// Graph convolution: features of the neighbors, normalised symmetrically by the degrees.
// Precondition: elements of row_start are not negative and do not decrease.
// Precondition: elements of neighbors lie in [0, nodes).
__global__ void graph_convolution(const int* __restrict__ row_start, const int* __restrict__ neighbors,
                                  const float* __restrict__ features,
                                  const float* __restrict__ inv_sqrt_degree, float* __restrict__ aggregated,
                                  int nodes) {
    const int node = blockIdx.x * blockDim.y + threadIdx.y;
    const int c = threadIdx.x;
    if (node >= nodes) return;

    float total = 0.0f;
    const int e_end = row_start[node + 1];
    for (int e = row_start[node]; e < e_end; ++e) {
        const int other = neighbors[e];
        total += inv_sqrt_degree[other] * features[other * COLS + c];
    }
    aggregated[node * COLS + c] = inv_sqrt_degree[node] * total;
}

cudaError_t launch_graph_convolution(const int* row_start, const int* neighbors, const float* features,
                                     const float* inv_sqrt_degree, float* aggregated, int nodes,
                                     cudaStream_t stream = nullptr) {
    if (nodes == 0) return cudaSuccess;
    if (nodes > INT_MAX / COLS) return cudaErrorInvalidValue;
    // A block spans the last dimension.
    const dim3 block(COLS, 8);
    const unsigned grid = (nodes + block.y - 1) / block.y;
    graph_convolution<<<grid, block, 0, stream>>>(row_start, neighbors, features, inv_sqrt_degree, aggregated,
                                                  nodes);
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
    const int nodes = 33, edges = 102;
    Array<int> row_start(nodes + 1), neighbors(edges);
    Array<float> features(nodes * 32), inv_sqrt_degree(nodes), aggregated(nodes * 32);
    for (size_t i = 0; i < row_start.count; ++i) row_start.host[i] = i * 3 + pcg(0x2370168f + i) % 3;
    row_start.upload();
    for (size_t i = 0; i < neighbors.count; ++i) neighbors.host[i] = pcg(0x9c9df0a2 + i) % nodes;
    neighbors.upload();
    fill_uniform(features, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(inv_sqrt_degree, 0x86a00a5c, 0.3, 1.0);
    CUDA_CHECK(launch_graph_convolution(row_start.device, neighbors.device, features.device,
                                        inv_sqrt_degree.device, aggregated.device, nodes));
    aggregated.download();
    double sum = 0.0;
    for (size_t i = 0; i < aggregated.count; ++i) sum += aggregated.host[i];
    std::printf("aggregated: first %g, last %g, sum %.9g\n", aggregated.host[0],
                aggregated.host[aggregated.count - 1], sum);
    return 0;
}
