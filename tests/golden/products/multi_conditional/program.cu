#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

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

// Random bits number i of a parameter: a PCG hash (Jarzynski and Olano, JCGT 9(3), 2020).
uint32_t pcg(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

uint32_t random_bits(uint32_t parameter, uint32_t i) { return pcg(i + pcg(pcg(parameter + pcg(1u)))); }

// With 53 random bits.
double random_double(uint32_t parameter, uint32_t i, double low, double high) {
    const uint32_t leading = random_bits(parameter, i);
    return low + ((leading >> 8) * 0x1p-24 + (pcg(leading) >> 3) * 0x1p-53) * (high - low);
}

int random_integer(uint32_t parameter, uint32_t i, int low, int high) {
    return low + int(random_bits(parameter, i) % uint32_t(high - low));
}

// An array of zeros on the host, and memory for it on the device.
template <typename T>
struct Array {
    const size_t count;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count) { CUDA_CHECK(cudaMalloc(&device, count * sizeof(T))); }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename T>
void print_output(const char* name, const T* values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += double(values[i]);
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
    const int n = 1000;
    Array<int> x_valid(n);
    Array<double> xs(n), ys(n), weights(n);
    const double outer_weight = random_double(3, 0, 0.1, 0.8);
    for (size_t i = 0; i < x_valid.count; ++i) {
        x_valid.host[i] = random_integer(0, i, 0, 2);
        xs.host[i] = random_double(1, i, -2.0, 2.0);
        ys.host[i] = random_double(2, i, -2.0, 2.0);
    }
    x_valid.upload();
    for (auto* array : {&xs, &ys, &weights}) array->upload();
    CUDA_CHECK(launch_sector_code(x_valid.device, xs.device, ys.device, outer_weight, weights.device, n));
    weights.download();
    print_output("weights", weights.host, weights.count);
    return EXIT_SUCCESS;
}
