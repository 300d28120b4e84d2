#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Mat2d {
    double m[2][2];
};

// Inverse of 2 x 2 matrices; damping is added to the diagonal.
__global__ void invert_2x2(const Mat2d* __restrict__ mats, double damping, Mat2d* __restrict__ inverses,
                           int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const Mat2d m = mats[i];
    const double m00 = m.m[0][0] + damping;
    const double m11 = m.m[1][1] + damping;
    const double det = m00 * m11 - m.m[0][1] * m.m[1][0];
    // 0 - x, as Warp negates: the negative of zero is zero, which -x would make -0.
    inverses[i] = Mat2d{{{m11 / det, (0.0 - m.m[0][1]) / det}, {(0.0 - m.m[1][0]) / det, m00 / det}}};
}

cudaError_t launch_invert_2x2(const Mat2d* mats, double damping, Mat2d* inverses, int n,
                              cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    invert_2x2<<<grid, block, 0, stream>>>(mats, damping, inverses, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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
void fill_uniform(Array<Mat2d, double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

int main() {
    const int n = 1000;
    Array<Mat2d, double> mats(n), inverses(n);
    const double damping = 4.256322015268835;
    fill_uniform(mats, 0x2370168f, -1.0, 1.0);
    CUDA_CHECK(launch_invert_2x2(mats.device, damping, inverses.device, n));
    inverses.download();
    double sum = 0.0;
    for (size_t i = 0; i < inverses.count; ++i) sum += inverses.host[i];
    std::printf("inverses: first %g, last %g, sum %.9g\n", inverses.host[0],
                inverses.host[inverses.count - 1], sum);
    return 0;
}
