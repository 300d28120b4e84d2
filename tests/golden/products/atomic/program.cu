#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// k_core: 4 rounds of peeling towards the k-core of an undirected graph.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int ALIVE = 0;
constexpr int PEELED_NOW = 1;
constexpr int PEELED = 2;

// Sum of the values of the threads of a warp, for each of them.
__device__ inline int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Sum of the values of all threads of the block, for the first. A barrier must lie between two calls.
__device__ inline int block_reduce_sum(int value) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0) : value;
}

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
__global__ void mark_vertices(const int* __restrict__ degrees, int k, int* __restrict__ state,
                              int* __restrict__ rounds_alive, int* num_left, int vertices) {
    int thread_total = 0;
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < uint32_t(vertices);
         v += gridDim.x * blockDim.x) {
        if (state[v] == ALIVE) {
            if (degrees[v] < k) {
                state[v] = PEELED_NOW;
            } else {
                rounds_alive[v] += 1;
                thread_total += 1;
            }
        } else if (state[v] == PEELED_NOW) {
            state[v] = PEELED;
        }
    }

    // One atomic a block: those of all threads would queue for one address.
    const int block_total = block_reduce_sum(thread_total);
    if (threadIdx.x == 0) atomicAdd(num_left, block_total);
}

cudaError_t launch_mark_vertices(const int* degrees, int k, int* state, int* rounds_alive, int* num_left,
                                 int vertices, cudaStream_t stream) {
    if (vertices <= 0) return cudaSuccess;
    // 1,024 blocks keep any GPU busy: threads stride over what is beyond them.
    constexpr unsigned block = 256;
    const unsigned grid = std::min<unsigned>((vertices + block - 1) / block, 1024);
    mark_vertices<<<grid, block, 0, stream>>>(degrees, k, state, rounds_alive, num_left, vertices);
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

cudaError_t launch_k_core(const int* endpoints_a, const int* endpoints_b, int k, int* degrees, int* state,
                          int* rounds_alive, int* num_left, int n, cudaStream_t stream = nullptr) {
    if (const cudaError_t status =
            cudaMemsetAsync(degrees, 0, size_t((n + 3) / 4 + 6) * sizeof(*degrees), stream))
        return status;
    if (const cudaError_t status =
            cudaMemsetAsync(state, 0, size_t((n + 3) / 4 + 6) * sizeof(*state), stream))
        return status;
    if (const cudaError_t status =
            cudaMemsetAsync(rounds_alive, 0, size_t((n + 3) / 4 + 6) * sizeof(*rounds_alive), stream))
        return status;
    if (const cudaError_t status = launch_count_degrees(endpoints_a, endpoints_b, degrees, n, stream))
        return status;
    for (int repetition = 0; repetition < 4; ++repetition) {
        if (const cudaError_t status = cudaMemsetAsync(num_left, 0, sizeof(*num_left), stream)) return status;
        if (const cudaError_t status =
                launch_mark_vertices(degrees, k, state, rounds_alive, num_left, (n + 3) / 4 + 6, stream))
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
    Array<int> endpoints_a(n), endpoints_b(n), degrees(vertices), state(vertices), rounds_alive(vertices),
        num_left(1);
    const int k_ = 6;
    fill_integers(endpoints_a, 0x2370168f, vertices);
    fill_integers(endpoints_b, 0x9c9df0a2, vertices);
    CUDA_CHECK(launch_k_core(endpoints_a.device, endpoints_b.device, k_, degrees.device, state.device,
                             rounds_alive.device, num_left.device, n));
    print_output("degrees", degrees);
    print_output("state", state);
    print_output("rounds_alive", rounds_alive);
    num_left.download();
    std::printf("num_left: %d\n", num_left.host[0]);
    return 0;
}
