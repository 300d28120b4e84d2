#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

constexpr int COMMA = 44;
constexpr int COLS = 32;

// Where a field of each comma-separated line begins, or -1 if the line has too few.
__global__ void nth_field(const int* __restrict__ bytes, int field, int* __restrict__ starts, int count) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;

    int commas = 0;
    int start = -1;
    if (field == 0) {
        start = 0;
    }
    for (int j = 0; j < COLS; ++j) {
        if (bytes[size_t(row) * COLS + j] == COMMA) {
            commas += 1;
            if (commas == field) {
                start = j + 1;
                break;
            }
        }
    }
    starts[row] = start;
}

cudaError_t launch_nth_field(const int* bytes, int field, int* starts, int count,
                             cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    nth_field<<<grid, block, 0, stream>>>(bytes, field, starts, count);
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
    Array<int> bytes(count * 32), starts(count);
    const int field = 2;
    fill_integers(bytes, 0x2370168f, 40, 52);
    CUDA_CHECK(launch_nth_field(bytes.device, field, starts.device, count));
    starts.download();
    double sum = 0.0;
    for (size_t i = 0; i < starts.count; ++i) sum += starts.host[i];
    std::printf("starts: first %g, last %g, sum %.9g\n", double(starts.host[0]),
                double(starts.host[starts.count - 1]), sum);
    return 0;
}
