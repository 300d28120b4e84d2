#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Weight of each point by its region of the plane. Where x is not valid, 0.8 takes its place.
__global__ void sector_code(const int* __restrict__ x_valid, const double* __restrict__ xs,
                            const double* __restrict__ ys, double outer_weight, double* __restrict__ weights,
                            int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const double x = xs[i];
    const double valid_x = x_valid[i] > 0 ? x : 0.8;
    int code = 0;
    const double y = ys[i];
    const double r2 = valid_x * valid_x + y * y;
    if (valid_x > 0.7) {
        code = 1;
    } else if (valid_x < -0.7) {
        code = 2;
    }
    if (r2 > 2.56) {
        code += 16;
    }
    if (y > 1.6) {
        code += 4;
    }
    if (y < -0.7) {
        code += 8;
    }
    double weight = r2;
    if (code > 3) {
        weight = r2 * outer_weight;
    } else if (code > 0) {
        weight = r2 - valid_x;
    }
    weights[i] = weight;
}

cudaError_t launch_sector_code(const int* x_valid, const double* xs, const double* ys, double outer_weight,
                               double* weights, int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    sector_code<<<grid, block, 0, stream>>>(x_valid, xs, ys, outer_weight, weights, n);
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

// Of 53 random bits.

void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> x_valid(n);
    Array<double> xs(n), ys(n), weights(n);
    const double outer_weight = 0.39924850128546796;
    for (size_t i = 0; i < x_valid.count; ++i) x_valid.host[i] = pcg(0x2370168f + i) % 2;
    x_valid.upload();
    fill_uniform(xs, 0x9c9df0a2, -2.0, 2.0);
    fill_uniform(ys, 0x8a2e10de, -2.0, 2.0);
    CUDA_CHECK(launch_sector_code(x_valid.device, xs.device, ys.device, outer_weight, weights.device, n));
    weights.download();
    double sum = 0.0;
    for (size_t i = 0; i < weights.count; ++i) sum += weights.host[i];
    std::printf("weights: first %g, last %g, sum %.9g\n", weights.host[0], weights.host[weights.count - 1],
                sum);
    return 0;
}
