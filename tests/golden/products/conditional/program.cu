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

// State of one key.
struct Key {
    int cell_x;
    int cell_y;
};

// Find the register rank of each key from the leading zeros below six index bits. Combine the cell numbers by
// Szudzik's pairing, and hash the bits by Wang's shifts and products.
__global__ void key_register_rank(const Key* __restrict__ keys, int count, int* __restrict__ register_ranks) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const Key key = keys[i];
        const int cell_x = key.cell_x;
        const int cell_y = key.cell_y;
        const int low = min(cell_x, cell_y);
        const int high = max(cell_x, cell_y);
        const uint32_t other_key = uint32_t(high * high + (cell_x < cell_y ? low : high + low));
        uint32_t mixed = other_key ^ 61u ^ (other_key >> 16);
        mixed *= 9u;
        mixed ^= mixed >> 4;
        mixed *= 0x27D4EB2Du;
        const uint32_t hashed = mixed ^ (mixed >> 15);
        uint32_t rest = (hashed << 6) | 32u;
        int register_rank = 1;
        while (rest >> 31 == 0u) {
            rest = rest << 1;
            register_rank += 1;
        }
        register_ranks[i] = register_rank;
    }
}

cudaError_t launch_key_register_rank(const Key* keys, int count, int num_threads, int* register_ranks,
                                     cudaStream_t stream = nullptr) {
    if (num_threads == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_threads + block - 1) / block;
    key_register_rank<<<grid, block, 0, stream>>>(keys, count, register_ranks);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
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

int main() {
    const int n = 1000, threads = 250;
    Array<Key> keys(n);
    Array<int> register_ranks(n);
    for (size_t i = 0; i < keys.count; ++i) {
        Key& element = keys.host[i];
        const unsigned counter = 0x2370168f + 2 * i;
        element.cell_x = random_integer(counter, 0, 4001);
        element.cell_y = random_integer(counter + 1, 0, 4001);
    }
    keys.upload();
    CUDA_CHECK(launch_key_register_rank(keys.device, n, threads, register_ranks.device));
    register_ranks.download();
    double sum = 0.0;
    for (size_t i = 0; i < register_ranks.count; ++i) sum += register_ranks.host[i];
    std::printf("register_ranks: first %g, last %g, sum %.9g\n", double(register_ranks.host[0]),
                double(register_ranks.host[register_ranks.count - 1]), sum);
    return 0;
}
