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

// From a at t = 0 to b at t = 1.
__device__ inline double lerp(double a, double b, double t) { return a * (1.0 - t) + b * t; }

// Relax the equation laplace(psi) = -vorticity for the stream function by a half sweep of successive
// over-relaxation, on the points whose i + j is even (color 0) or odd (color 1). The border is fixed.
__global__ void relax_stream_function(const double* __restrict__ vorticity, int color, double omega,
                                      double dx, double* __restrict__ stream, int rows, int cols) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= cols) return;

    if (i == 0 || i == rows - 1 || j == 0 || j == cols - 1 || ((i + j) & 1) != color) {
        return;
    }

    const int index = i * cols + j;
    const double neighbors =
        stream[index - cols] + stream[index + cols] + stream[index - 1] + stream[index + 1];
    const double relaxed = (neighbors + dx * dx * vorticity[index]) / 4.0;
    stream[index] = lerp(stream[index], relaxed, omega);
}

cudaError_t launch_relax_stream_function(const double* vorticity, int color, double omega, double dx,
                                         double* stream, int rows, int cols,
                                         cudaStream_t launch_stream = nullptr) {
    if (rows <= 0 || cols <= 0) return cudaSuccess;
    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;
    // Rows are 48 long in the described launch: in a wider block, threads would idle.
    const dim3 block(16, 16);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    relax_stream_function<<<grid, block, 0, launch_stream>>>(vorticity, color, omega, dx, stream, rows, cols);
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

// A uniform number made of 53 random bits.
void fill_uniform(Array<double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int rows = 19, cols = 48;
    Array<double> vorticity(rows * cols), stream(rows * cols);
    const int color = 1;
    const double omega = 1.224227427459193, dx = 0.142749785897924;
    fill_uniform(vorticity, 0x2370168f, -1.0, 1.0);
    fill_uniform(stream, 0x14cd5bc2, -0.2, 0.2);
    CUDA_CHECK(launch_relax_stream_function(vorticity.device, color, omega, dx, stream.device, rows, cols));
    stream.download();
    double sum = 0.0;
    for (size_t i = 0; i < stream.count; ++i) sum += stream.host[i];
    std::printf("stream: first %g, last %g, sum %.9g\n", stream.host[0], stream.host[stream.count - 1], sum);
    return 0;
}
