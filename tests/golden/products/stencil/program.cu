#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// First-order upwind step of the advection equation, periodic.
__global__ void advect_upwind(const float* __restrict__ q, float courant, float* __restrict__ q_new,
                              int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    const int left = i == 0 ? count - 1 : i - 1;
    const int right = i + 1 == count ? 0 : i + 1;
    const float backward = q[i] - q[left];
    const float forward = q[right] - q[i];
    const float change = fmaxf(courant, 0.0f) * backward + fminf(courant, 0.0f) * forward;
    q_new[i] = q[i] - change;
}

cudaError_t launch_advect_upwind(const float* q, float courant, float* q_new, int count,
                                 cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    if (count > 268435459) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    advect_upwind<<<grid, block, 0, stream>>>(q, courant, q_new, count);
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

void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

int main() {
    const int cells = 1003;
    Array<float> q(cells), q_new(cells);
    const float courant = -0.38988486f;
    fill_uniform(q, 0x2370168f, 0.0, 1.0);
    CUDA_CHECK(launch_advect_upwind(q.device, courant, q_new.device, cells));
    q_new.download();
    double sum = 0.0;
    for (size_t i = 0; i < q_new.count; ++i) sum += q_new.host[i];
    std::printf("q_new: first %g, last %g, sum %.9g\n", q_new.host[0], q_new.host[q_new.count - 1], sum);
    return 0;
}
