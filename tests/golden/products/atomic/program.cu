#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// peel_k_core: 3 rounds of peeling towards the k-core of an undirected graph.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int ALIVE = 0;
constexpr int PEELED_NOW = 1;
constexpr int PEELED = 2;

// Number of edges at each vertex.
// Precondition: elements of endpoints_a and endpoints_b are indices of degrees.
__global__ void count_degrees(const int* __restrict__ endpoints_a, const int* __restrict__ endpoints_b,
                              int* degrees, int n) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;

    atomicAdd(&degrees[endpoints_a[e]], 1);
    atomicAdd(&degrees[endpoints_b[e]], 1);
}

cudaError_t launch_count_degrees(const int* endpoints_a, const int* endpoints_b, int* degrees, int n,
                                 cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    count_degrees<<<grid, block, 0, stream>>>(endpoints_a, endpoints_b, degrees, n);
    return cudaGetLastError();
}

// Peel the vertices that have too low a degree; those of the round before are done with.
__global__ void mark_vertices(const int* __restrict__ degrees, int k, int* __restrict__ state, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;

    if (state[v] == ALIVE) {
        if (degrees[v] < k) {
            state[v] = PEELED_NOW;
        }
    } else if (state[v] == PEELED_NOW) {
        state[v] = PEELED;
    }
}

cudaError_t launch_mark_vertices(const int* degrees, int k, int* state, int vertices, cudaStream_t stream) {
    if (vertices == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (vertices + block - 1) / block;
    mark_vertices<<<grid, block, 0, stream>>>(degrees, k, state, vertices);
    return cudaGetLastError();
}

// Take the edges of the vertices that were just peeled away from their neighbors.
// Precondition: elements of endpoints_a and endpoints_b are indices of state and degrees.
__global__ void remove_edges(const int* __restrict__ endpoints_a, const int* __restrict__ endpoints_b,
                             const int* __restrict__ state, int* degrees, int n) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;

    const int u = endpoints_a[e];
    const int v = endpoints_b[e];
    if (state[u] == PEELED_NOW) {
        atomicSub(&degrees[v], 1);
    }
    if (state[v] == PEELED_NOW) {
        atomicSub(&degrees[u], 1);
    }
}

cudaError_t launch_remove_edges(const int* endpoints_a, const int* endpoints_b, const int* state,
                                int* degrees, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    remove_edges<<<grid, block, 0, stream>>>(endpoints_a, endpoints_b, state, degrees, n);
    return cudaGetLastError();
}

cudaError_t launch_peel_k_core(const int* endpoints_a, const int* endpoints_b, int k, int* degrees,
                               int* state, int n, cudaStream_t stream = nullptr) {
    const int vertices = (n + 3) / 4 + 6;
    if (const cudaError_t status = cudaMemsetAsync(degrees, 0, vertices * sizeof(*degrees), stream))
        return status;
    if (const cudaError_t status = cudaMemsetAsync(state, 0, vertices * sizeof(*state), stream))
        return status;
    if (const cudaError_t status = launch_count_degrees(endpoints_a, endpoints_b, degrees, n, stream))
        return status;
    for (int repetition = 0; repetition < 3; ++repetition) {
        if (const cudaError_t status = launch_mark_vertices(degrees, k, state, vertices, stream))
            return status;
        if (const cudaError_t status =
                launch_remove_edges(endpoints_a, endpoints_b, state, degrees, n, stream))
            return status;
    }
    return cudaSuccess;
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

void fill_integers(Array<int>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int n = 1000, vertices = 256;
    Array<int> endpoints_a(n), endpoints_b(n), degrees(vertices), state(vertices);
    const int k_ = 6;
    fill_integers(endpoints_a, 0x2370168f, vertices);
    fill_integers(endpoints_b, 0x9c9df0a2, vertices);
    CUDA_CHECK(
        launch_peel_k_core(endpoints_a.device, endpoints_b.device, k_, degrees.device, state.device, n));
    print_output("degrees", degrees);
    print_output("state", state);
    return 0;
}
