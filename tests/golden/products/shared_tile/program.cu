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

// The place that the thread of the block with the largest value has, the first of them. A barrier must lie
// between two calls.
__device__ inline int block_argmax(float value, int place) {
    __shared__ float values[32];
    __shared__ int places[32];
    value = fmaxf(value, -INFINITY);  // what is no number is last
    for (int offset = 1; offset < 32; offset *= 2) {
        const float other = __shfl_down_sync(0xffffffffu, value, offset);
        const int its_place = __shfl_down_sync(0xffffffffu, place, offset);
        if (other > value) {
            value = other;
            place = its_place;
        }
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = value;
        places[threadIdx.x / 32] = place;
    }
    __syncthreads();
    const int warps = blockDim.x / 32;
    int best = 0;
    for (int warp = 1; warp < warps; ++warp) {
        if (values[warp] > values[best]) best = warp;
    }
    return places[best];
}

// Product of a matrix and the transpose of another, 16 by 16 elements a tile. It is added to what is given.
// Of the entries of the first matrix, the magnitudes count. The bias field is added to the product. The place
// of the largest value in each tile is stored as well. The square is stored as well.
__global__ void matrix_product(const float* __restrict__ a, const float* __restrict__ b,
                               const float* __restrict__ given, const float* __restrict__ bias_fields,
                               int* __restrict__ peaks, float* __restrict__ out_squared_product,
                               float* __restrict__ out_product, int tile_columns) {
    const int by = blockIdx.y;
    const int bx = blockIdx.x;
    const int tid = threadIdx.x;
    const int column = tid % 16;
    const int r = tid / 4;
    const int c = tid % 4;
    float acc[4];
    __shared__ float b_tile[16][5];  // padded: a column lies in different banks
    __shared__ float magnitudes[16][4];
    float product_tile[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = tid / 16 + i * 4;
        acc[i] = given[(by * 16 + row) * (16 * tile_columns) + bx * 16 + column];
    }
    for (int t = 0; t < 3; ++t) {
        const float a_tile = a[(by * 16 + r) * 12 + t * 4 + c];
        b_tile[r][c] = b[(bx * 16 + r) * 12 + t * 4 + c];
        magnitudes[r][c] = fabsf(a_tile);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int row = tid / 16 + i * 4;
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k) {
                sum = fmaf(magnitudes[row][k], b_tile[column][k], sum);
            }
            acc[i] += sum;
        }
        __syncthreads();
    }
    float own_largest = NAN;
    int place = tid;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = tid / 16 + i * 4;
        const float bias_field = bias_fields[(by * 16 + row) * (16 * tile_columns) + bx * 16 + column];
        product_tile[i] = bias_field + acc[i];
        const float value = product_tile[i];
        if (value > own_largest) place = row * 16 + column;
        own_largest = fmaxf(own_largest, value);
    }
    const int argmax = block_argmax(own_largest, place);
    if (tid == 0) peaks[by * tile_columns + bx] = argmax;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = tid / 16 + i * 4;
        const int index = (by * 16 + row) * (16 * tile_columns) + bx * 16 + column;
        out_squared_product[index] = product_tile[i] * product_tile[i];
        out_product[index] = product_tile[i];
    }
}

cudaError_t launch_matrix_product(const float* a, const float* b, const float* given,
                                  const float* bias_fields, int* peaks, float* out_squared_product,
                                  float* out_product, int tile_columns, int tile_rows,
                                  cudaStream_t stream = nullptr) {
    if (tile_rows == 0 || tile_columns == 0) return cudaSuccess;
    if (int64_t(tile_rows) * tile_columns > INT_MAX / 256) return cudaErrorInvalidValue;
    // The kernel counts on blocks of this size.
    constexpr unsigned block = 64;
    const dim3 grid(tile_columns, tile_rows);
    matrix_product<<<grid, block, 0, stream>>>(a, b, given, bias_fields, peaks, out_squared_product,
                                               out_product, tile_columns);
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

void fill_integers(Array<float>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int tile_rows = 20, tile_columns = 4, inner_tiles = 3;
    Array<float> a(16 * tile_rows * (4 * inner_tiles)), b(16 * tile_columns * (4 * inner_tiles)),
        given(16 * tile_rows * (16 * tile_columns)), bias_fields(16 * tile_rows * (16 * tile_columns)),
        out_squared_product(16 * tile_rows * (16 * tile_columns)),
        out_product(16 * tile_rows * (16 * tile_columns));
    Array<int> peaks(tile_rows * tile_columns);
    fill_integers(a, 0x2370168f, -4, 5);
    fill_integers(b, 0x9c9df0a2, -4, 5);
    fill_integers(given, 0x8a2e10de, -4, 5);
    fill_integers(bias_fields, 0x86a00a5c, -8, 9);
    CUDA_CHECK(launch_matrix_product(a.device, b.device, given.device, bias_fields.device, peaks.device,
                                     out_squared_product.device, out_product.device, tile_columns,
                                     tile_rows));
    print_output("peaks", peaks);
    print_output("out_squared_product", out_squared_product);
    print_output("out_product", out_product);
    return 0;
}
