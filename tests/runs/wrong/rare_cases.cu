// Programs that are right in most cases, for kernels of ../right/kernels.py: `//// kernel: name: verdict`.

//// count: sixteen bits of a packed counter, in one block: wrong_output: size 6
__global__ void k(const int* x, int* bins, int n) {
    __shared__ unsigned int pairs[5];
    if (threadIdx.x < 5) pairs[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 1024) atomicAdd(&pairs[x[i] / 2], x[i] % 2 ? 1u << 16 : 1u);
    __syncthreads();
    if (threadIdx.x < 10) {
        const unsigned int pair = pairs[threadIdx.x / 2];
        atomicAdd(&bins[threadIdx.x], int(threadIdx.x % 2 ? pair >> 16 : pair & 0xffff));
    }
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    k<<<1, 1024, 0, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// count: a byte for each bin of a thread: wrong_output: size 6
__global__ void k(const int* x, int* bins, int n) {
    unsigned char own[10] = {};
    for (int i = threadIdx.x; i < n; i += 256) ++own[x[i]];
    for (int bin = 0; bin < 10; ++bin) atomicAdd(&bins[bin], own[bin]);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    k<<<1, 256, 0, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// count: a short for each bin of a thread: verified
__global__ void k(const int* x, int* bins, int n) {
    unsigned short own[10] = {};
    for (int i = threadIdx.x; i < n; i += 256) ++own[x[i]];
    for (int bin = 0; bin < 10; ++bin) atomicAdd(&bins[bin], own[bin]);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    k<<<1, 256, 0, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// standardize: the deviation is kept while the mean is the same: non_deterministic
#include <cuda_fp16.h>
__global__ void k(const float* x, float mean, float deviation, __half* out, int n) {
    INDEX;
    if (i < n) out[i] = __float2half((x[i] - mean) / deviation);
}
cudaError_t launch_standardize(const float* x, float mean, float deviation, __half* out, int n, cudaStream_t stream) {
    static float last = -1.0f, kept = 0.0f;
    if (last != mean) {
        last = mean;
        kept = deviation;
    }
    LAUNCHED(k)(x, mean, kept, out, n);
    return cudaGetLastError();
}

//// standardize: the mean is kept while the deviation is the same: non_deterministic
#include <cuda_fp16.h>
__global__ void k(const float* x, float mean, float deviation, __half* out, int n) {
    INDEX;
    if (i < n) out[i] = __float2half((x[i] - mean) / deviation);
}
cudaError_t launch_standardize(const float* x, float mean, float deviation, __half* out, int n, cudaStream_t stream) {
    static float last = -1.0f, kept = 0.0f;
    if (last != deviation) {
        last = deviation;
        kept = mean;
    }
    LAUNCHED(k)(x, kept, deviation, out, n);
    return cudaGetLastError();
}

//// polynomial: results are kept while the array is the same: non_deterministic
__device__ float seen[70000], results[70000];
__device__ bool differs;
__global__ void compare(const float* x, int n) {
    INDEX;
    if (i < n && !(seen[i] == x[i])) differs = true;
}
__global__ void k(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale;
    if (differs) results[i] = 0.7f + y * (1.3f - y * (0.4f + y * (0.11f - 0.03f * y)));
    seen[i] = x[i];
    out[i] = results[i];
}
cudaError_t launch_polynomial(const float* x, float* out, float scale, int n, cudaStream_t stream) {
    static int last = 0;
    void* flag = nullptr;
    cudaGetSymbolAddress(&flag, differs);
    cudaMemsetAsync(flag, last != n, 1, stream);
    last = n;
    LAUNCHED(compare)(x, n);
    LAUNCHED(k)(x, out, scale, n);
    return cudaGetLastError();
}

//// peaks: of equal rows the first: verified
__device__ int roughness(const int* x) {
    int sum = 0;
    for (int k = 0; k < 15; ++k) sum += (x[k + 1] - x[k]) * (x[k + 1] - x[k]);
    return sum;
}
__global__ void peaks(const int* x, int* marks, int rows) {
    INDEX;
    if (i >= rows) return;
    const int here = roughness(x + 16 * i);
    const bool first = i == 0 || roughness(x + 16 * (i - 1)) < here;
    marks[i] = here > 40000 && first && (i + 1 == rows || roughness(x + 16 * (i + 1)) <= here);
}

//// peaks: all of equal rows: wrong_output
__device__ int roughness(const int* x) {
    int sum = 0;
    for (int k = 0; k < 15; ++k) sum += (x[k + 1] - x[k]) * (x[k + 1] - x[k]);
    return sum;
}
__global__ void peaks(const int* x, int* marks, int rows) {
    INDEX;
    if (i >= rows) return;
    const int here = roughness(x + 16 * i);
    const bool first = i == 0 || roughness(x + 16 * (i - 1)) <= here;
    marks[i] = here > 40000 && first && (i + 1 == rows || roughness(x + 16 * (i + 1)) <= here);
}
