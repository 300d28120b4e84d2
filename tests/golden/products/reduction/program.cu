#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Find the first and last row and column of each labeled region. Label 0 is the background.
// Precondition: elements of labels are indices of top and bottom.
__global__ void label_bounding_boxes(const int* __restrict__ labels, int* top, int* bottom, int* left,
                                     int* right, int height, int width) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || col >= width) return;

    const int label = labels[size_t(row) * width + col];
    if (label == 0) {
        return;
    }
    atomicMin(&top[label], row);
    atomicMax(&bottom[label], row);
    atomicMin(&left[label], col);
    atomicMax(&right[label], col);
}

cudaError_t launch_label_bounding_boxes(const int* labels, int* top, int* bottom, int* left, int* right,
                                        int height, int width, cudaStream_t stream = nullptr) {
    if (height <= 0 || width <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along the last index, the fastest in memory.
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    label_bounding_boxes<<<grid, block, 0, stream>>>(labels, top, bottom, left, right, height, width);
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

void print_output(const char* name, Array<int>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int height = 19, regions = 24, width = 96;
    Array<int> labels(height * width), top(regions), bottom(regions), left(regions), right(regions);
    for (size_t i = 0; i < labels.count; ++i) labels.host[i] = pcg(0x2370168f + i) % regions;
    labels.upload();
    for (size_t i = 0; i < top.count; ++i) top.host[i] = height;
    top.upload();
    for (size_t i = 0; i < bottom.count; ++i) bottom.host[i] = -1;
    bottom.upload();
    for (size_t i = 0; i < left.count; ++i) left.host[i] = width;
    left.upload();
    for (size_t i = 0; i < right.count; ++i) right.host[i] = -1;
    right.upload();
    CUDA_CHECK(launch_label_bounding_boxes(labels.device, top.device, bottom.device, left.device,
                                           right.device, height, width));
    print_output("top", top);
    print_output("bottom", bottom);
    print_output("left", left);
    print_output("right", right);
    return 0;
}
