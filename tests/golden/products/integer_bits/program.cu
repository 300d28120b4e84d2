#include <cuda_runtime.h>
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

constexpr int COLS = 8;

// Return the left neighbors of the 32 cells of a word; rows are periodic, and bit 0 is the leftmost cell.
__device__ uint32_t west(const uint32_t* cells, int y, int w, int num_words) {
    const uint32_t before = cells[y * COLS + (w + num_words - 1) % num_words];
    return (cells[y * COLS + w] << 1) | (before >> 31);
}

// Return the right neighbors of the 32 cells of a word.
__device__ uint32_t east(const uint32_t* cells, int y, int w, int num_words) {
    const uint32_t after = cells[y * COLS + (w + 1) % num_words];
    return (cells[y * COLS + w] >> 1) | (after << 31);
}

// Advance Conway's Life (B3/S23) by a generation for 32 cells at once: bitwise full adders count the
// neighbors in bit planes.
__global__ void advance(const uint32_t* __restrict__ cells, int num_words, uint32_t* __restrict__ next_cells,
                        int height) {
    const int y = blockIdx.x * blockDim.y + threadIdx.y;
    const int w = threadIdx.x;
    if (y >= height) return;

    uint32_t ones = 0u;
    uint32_t twos = 0u;
    uint32_t fours = 0u;
    int row = y == 0 ? height - 1 : y - 1;
    for (int k = 0; k < 3; ++k) {
        const uint32_t left = west(cells, row, w, num_words);
        const uint32_t right = east(cells, row, w, num_words);
        // The cell itself is no neighbor.
        const uint32_t middle = k == 1 ? 0u : cells[row * COLS + w];
        const uint32_t low = left ^ middle ^ right;
        const uint32_t high = (left & middle) | (right & (left ^ middle));
        const uint32_t carry = ones & low;
        ones ^= low;
        fours ^= (twos & high) | (carry & (twos ^ high));
        twos = twos ^ high ^ carry;
        row = row + 1 == height ? 0 : row + 1;
    }
    const int index = y * COLS + w;
    const uint32_t alive = cells[index];
    const uint32_t two = twos & ~ones & ~fours;
    const uint32_t three = twos & ones & ~fours;
    next_cells[index] = three | (alive & two);
}

cudaError_t launch_advance(const uint32_t* cells, int num_words, uint32_t* next_cells, int height,
                           cudaStream_t stream) {
    if (height <= 0) return cudaSuccess;
    if (height > INT_MAX / COLS) return cudaErrorInvalidValue;
    if (num_words < 1) return cudaErrorInvalidValue;
    // A block is as wide as a row, and works on several.
    const dim3 block(COLS, 32);
    const unsigned grid = (height + block.y - 1) / block.y;
    advance<<<grid, block, 0, stream>>>(cells, num_words, next_cells, height);
    return cudaGetLastError();
}

// Advance Conway's Game of Life by eight generations, with 32 cells packed into a word and periodic borders.
cudaError_t launch_bitwise_life(uint32_t* cells, int num_words, uint32_t* next_cells, int rows,
                                cudaStream_t stream = nullptr) {
    for (int repetition = 0; repetition < 4; ++repetition) {
        if (const cudaError_t status = launch_advance(cells, num_words, next_cells, rows, stream))
            return status;
        if (const cudaError_t status = launch_advance(next_cells, num_words, cells, rows, stream))
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

void print_output(const char* name, Array<uint32_t>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int rows = 36;
    Array<uint32_t> cells(rows * 8), next_cells(rows * 8);
    for (size_t i = 0; i < cells.count; ++i) cells.host[i] = pcg(0x2370168f + i) % 4294967295;
    cells.upload();
    CUDA_CHECK(launch_bitwise_life(cells.device, 8, next_cells.device, rows));
    print_output("cells", cells);
    print_output("next_cells", next_cells);
    return 0;
}
