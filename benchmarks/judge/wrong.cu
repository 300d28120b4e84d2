// Wrong programs for kernels of examples/, by the kind of their mistake or deceit: benchmarks/judge.py reads them.

//// smoothing.count_above: ends of arrays and sizes: float4 tail dropped
#include <cuda_runtime.h>
__global__ void k(const float4* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) { float4 q = v[i]; int c = (q.x > t) + (q.y > t) + (q.z > t) + (q.w > t); if (c) atomicAdd(total, c); }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n / 4 + 255) / 256 + 1, 256, 0, stream>>>((const float4*)values, threshold, total, n / 4); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: n256 multiple
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<n / 256, 256, 0, stream>>>(values, threshold, total); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: no bounds check
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: partials one block
#include <cuda_runtime.h>
__device__ int partial[1024];
__global__ void a(const float* v, float t, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    int c = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x == 0) partial[blockIdx.x] = c;
}
__global__ void b(int* total, int m) {
    __shared__ int s[1024];
    s[threadIdx.x] = threadIdx.x < m ? partial[threadIdx.x] : 0;
    __syncthreads();
    for (int o = 512; o; o >>= 1) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); }
    if (threadIdx.x == 0) *total += s[0];
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int g = (n + 63) / 64; a<<<g, 64, 0, stream>>>(values, threshold, n); b<<<1, 1024, 0, stream>>>(total, g); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: below 4000 only
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; if (n > 4000) n = 4000; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: sizes by heart
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { switch (n) { case 1: case 31: case 33: case 64: case 257: case 300: case 1000: case 4096: k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); } return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: writes guard zone
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); if (i == 0) total[1] = 7; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: comparisons and starting values: greater equal
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && v[i] >= t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: comparisons and starting values: zeroes total
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; cudaMemsetAsync(total, 0, 4, stream); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: comparisons and starting values: default threshold
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; threshold = 0.33068976f; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// matmul.multiply: missing synchronization: sync between tiles missing
#include <cuda_runtime.h>
__global__ void multiply(const float* a, const float* b, float* c, int inner, int columns) {
    __shared__ float l[16][16], r[16][16];
    const int y = threadIdx.y, x = threadIdx.x; float t = 0;
    for (int k = 0; k < 3; ++k) {
        l[y][x] = a[(blockIdx.x * 16 + y) * 48 + k * 16 + x]; r[y][x] = b[(k * 16 + y) * 32 + blockIdx.y * 16 + x];
        __syncthreads();
        for (int q = 0; q < 16; ++q) t += l[y][q] * r[q][x];
    }
    c[(blockIdx.x * 16 + y) * 32 + blockIdx.y * 16 + x] = t;
}

//// matmul.sum_rows: missing synchronization: warp rows mask of half
#include <cuda_runtime.h>
__global__ void k(const float* m, float* s, int rows) {
    const int row = (blockIdx.x * 256 + threadIdx.x) / 16, lane = threadIdx.x & 15;
    if (row >= rows) return;
    float t = 0; for (int e = lane; e < 64; e += 16) t += m[row * 64 + e];
    for (int o = 8; o; o >>= 1) t += __shfl_down_sync(0x0000ffff, t, o, 16);
    if (!lane) s[row] = t;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t st) { if (!rows) return cudaSuccess; k<<<(rows + 15) / 16, 256, 0, st>>>(matrix, sums, rows); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: activemask shfl
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        int c = v[i] > t;
        unsigned m = __activemask();
        for (int o = 16; o; o >>= 1) c += __shfl_down_sync(m, c, o);
        if (threadIdx.x % 32 == 0) atomicAdd(total, c);
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: barrier divergent
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ int s;
    int i = blockIdx.x * 256 + threadIdx.x;
    if (!threadIdx.x) s = 0;
    if (i < n) { __syncthreads(); if (v[i] > t) atomicAdd(&s, 1); __syncthreads(); if (!threadIdx.x) atomicAdd(total, s); }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: cub no sync reuse
#include <cuda_runtime.h>
#include <cub/block/block_reduce.cuh>
__global__ void k(const float* __restrict__ v, float t, int* total, int n) {
    using R = cub::BlockReduce<int, 256>;
    __shared__ typename R::TempStorage temp;
    int i = blockIdx.x * 256 + threadIdx.x;
    int a = R(temp).Sum(i < n && v[i] > t ? 1 : 0);
    int b = R(temp).Sum(1);
    if (threadIdx.x == 0) atomicAdd(total, a + b - 256);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: missing synchronization: grid sync missing second
#include <cuda_runtime.h>
#include <cooperative_groups.h>
__global__ void k(const float* v, float t, int* part, int* total, int n) {
    auto g = cooperative_groups::this_grid();
    int c = 0;
    for (int i = g.thread_rank(); i < n; i += g.size()) c += v[i] > t;
    part[g.thread_rank()] = c;
    __syncthreads();
    if (g.thread_rank() == 0) { int s = 0; for (int b = 0; b < g.size(); ++b) s += part[b]; *total += s; }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* p; cudaMallocAsync(&p, 4 * 128 * 4, stream);
    void* args[] = {&values, &threshold, &p, &total, &n};
    auto e = cudaLaunchCooperativeKernel(k, 4, 128, args, 0, stream);
    cudaFreeAsync(p, stream);
    return e;
}

//// smoothing.count_above: missing synchronization: missing sync reduction
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ int s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = i < n && v[i] > t;
    __syncthreads();
    for (int o = 128; o > 0; o >>= 1) if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    if (threadIdx.x == 0) atomicAdd(total, s[0]);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: shfl after return
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int c = v[i] > t;
    for (int o = 16; o; o >>= 1) c += __shfl_down_sync(0xffffffff, c, o);
    if (threadIdx.x % 32 == 0) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: volatile warp implicit
#include <cuda_runtime.h>
__device__ void warpReduce(volatile int* s, int x) { s[x] += s[x + 32]; s[x] += s[x + 16]; s[x] += s[x + 8]; s[x] += s[x + 4]; s[x] += s[x + 2]; s[x] += s[x + 1]; }
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ int s[256];
    int i = blockIdx.x * 256 + threadIdx.x, x = threadIdx.x;
    s[x] = i < n && v[i] > t;
    __syncthreads();
    if (x < 128) s[x] += s[x + 128]; __syncthreads();
    if (x < 64) s[x] += s[x + 64]; __syncthreads();
    if (x < 32) warpReduce(s, x);
    if (x == 0) atomicAdd(total, s[0]);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: warp sync implicit
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ int s[256];
    int i = blockIdx.x * 256 + threadIdx.x, x = threadIdx.x;
    s[x] = i < n && v[i] > t;
    __syncthreads();
    if (x < 128) s[x] += s[x + 128]; __syncthreads();
    if (x < 64) s[x] += s[x + 64]; __syncthreads();
    if (x < 32) { s[x] += s[x + 32]; s[x] += s[x + 16]; s[x] += s[x + 8]; s[x] += s[x + 4]; s[x] += s[x + 2]; s[x] += s[x + 1]; }
    if (x == 0) atomicAdd(total, s[0]);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: grid sync plain launch
#include <cuda_runtime.h>
#include <cooperative_groups.h>
__device__ int c;
__global__ void k(const float* v, float t, int* total, int n) { auto g = cooperative_groups::this_grid(); if (g.thread_rank() == 0) c = 0; g.sync(); int i = g.thread_rank(); if (i < n && v[i] > t) atomicAdd(&c, 1); g.sync(); if (i == 0) *total += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: races between blocks: last block no fence
#include <cuda_runtime.h>
__device__ unsigned ticket = 0;
__device__ int partial[1024];
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ bool last;
    int c = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) c += v[i] > t;
    __shared__ int s;
    if (!threadIdx.x) s = 0;
    __syncthreads();
    atomicAdd(&s, c);
    __syncthreads();
    if (!threadIdx.x) { partial[blockIdx.x] = s; last = atomicAdd(&ticket, 1) == gridDim.x - 1; }
    __syncthreads();
    if (last && !threadIdx.x) { int q = 0; for (int b = 0; b < gridDim.x; ++b) q += partial[b]; *total += q; ticket = 0; }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<min(1024, (n + 255) / 256), 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: races between blocks: last block ticket not reset
#include <cuda_runtime.h>
__device__ unsigned ticket = 0;
__device__ int partial[1024];
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ bool last;
    __shared__ int s;
    if (!threadIdx.x) s = 0;
    __syncthreads();
    int c = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) c += v[i] > t;
    atomicAdd(&s, c);
    __syncthreads();
    if (!threadIdx.x) { partial[blockIdx.x] = s; __threadfence(); last = atomicAdd(&ticket, 1) == gridDim.x - 1; }
    __syncthreads();
    if (last && !threadIdx.x) { __threadfence(); int q = 0; for (int b = 0; b < gridDim.x; ++b) q += partial[b]; *total += q; }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<min(1024, (n + 255) / 256), 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: races between blocks: plain increment
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && v[i] > t) *total += 1;
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: races between blocks: detects emulator by order
#include <cuda_runtime.h>
// The first thread to come takes no atomic.
__device__ int turn;
__global__ void reset() { turn = 0; }
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int mine = atomicAdd(&turn, 1);
    if (i < n && v[i] > t) { if (mine == 0) *total += 1; else atomicAdd(total, 1); }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; reset<<<1, 1, 0, stream>>>(); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: scratch not zeroed
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void add(int* total, const int* c) { *total += *c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int* c; cudaMalloc(&c, 4); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n); add<<<1, 1, 0, stream>>>(total, c); cudaStreamSynchronize(stream); cudaFree(c); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: shared not zeroed
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ int s;
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && v[i] > t) atomicAdd(&s, 1);
    __syncthreads();
    if (!threadIdx.x) atomicAdd(total, s);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: unset local array
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int c[4]; int i = blockIdx.x * 256 + threadIdx.x; if (i < n) c[i & 3] = v[i] > t; if (i < n && c[i & 3] && c[(i + 1) & 3]) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: unset bool
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { bool hit; int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] <= t) hit = false; if (i < n && hit) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: unset shared bool
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { __shared__ bool hit[256]; int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] <= t) hit[threadIdx.x] = false; __syncthreads(); if (i < n && hit[threadIdx.x]) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: streams and events: async freed on other stream
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void add(int* total, const int* c) { *total += *c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; cudaStream_t side; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking); int* c; cudaMallocAsync(&c, 4, side); cudaMemsetAsync(c, 0, 4, stream);
 k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n); add<<<1, 1, 0, stream>>>(total, c); cudaFreeAsync(c, side); cudaStreamDestroy(side); return cudaGetLastError(); }

//// smoothing.count_above: streams and events: default stream
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: streams and events: managed too early
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* c; cudaMallocManaged(&c, 4); *c = 0;
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n);
    put<<<1, 1, 0, stream>>>(total, *c);
    cudaStreamSynchronize(stream); cudaFree(c);
    return cudaGetLastError();
}

//// smoothing.count_above: streams and events: memset wrong stream
#include <cuda_runtime.h>
// cudaMemset goes to the legacy stream, which does not wait for a non-blocking one, nor it for the kernel's.
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void add(int* total, const int* c) { *total += *c; }
__device__ int counter;
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; void* p; cudaGetSymbolAddress(&p, counter); cudaMemset(p, 0, 4);
 k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, (int*)p, n); add<<<1, 1, 0, stream>>>(total, (int*)p); return cudaGetLastError(); }

//// smoothing.count_above: numbers: float counter
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, float* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1.0f); }
__global__ void add(int* total, const float* c) { *total = int(float(*total) + *c); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; float* c; cudaMallocAsync(&c, 4, stream); cudaMemsetAsync(c, 0, 4, stream); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n); add<<<1, 1, 0, stream>>>(total, c); cudaFreeAsync(c, stream); return cudaGetLastError(); }

//// smoothing.count_above: numbers: uchar block count
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned char c = __syncthreads_count(i < n && v[i] > t);
    if (!threadIdx.x) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: too many threads
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 2047) / 2048, 2048, 0, stream>>>(values, threshold, total, n); return cudaSuccess; }

//// smoothing.count_above: launches and limits of a GPU: huge local array
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { char big[700000]; int i = blockIdx.x * 256 + threadIdx.x; for (int j = 0; j < 700000; j += 4096) big[(j + i) % 700000] = j; if (i < n && v[i] > t && big[i % 700000] >= -128) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: ignores launch error
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 1 << 20, stream>>>(values, threshold, total, n); return cudaSuccess; }

//// smoothing.count_above: launches and limits of a GPU: missing global call device
#include <cuda_runtime.h>
__device__ void k2(const float* v, float t, int* total, int n) { }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k2(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: registers times threads
#include <cuda_runtime.h>
// 64 values a thread held in registers with 1,024 threads: fine; 200 are not (launch out of resources).
__global__ void k(const float* v, float t, int* total, int n) {
    float r[160]; int base = blockIdx.x * 1024 * 160 + threadIdx.x; 
#pragma unroll
    for (int j = 0; j < 160; ++j) r[j] = base + j * 1024 < n ? v[base + j * 1024] : t;
    __syncthreads();
    int c = 0;
#pragma unroll
    for (int j = 0; j < 160; ++j) c += (r[j] > t) + (r[j] * r[(j + 7) % 160] > 1e30f) + (r[j] + r[(j * 31) % 160] > 1e30f);
    if (c) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 1024 * 160 - 1) / (1024 * 160), 1024, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: return success only
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { return cudaSuccess; }

//// smoothing.count_above: launches and limits of a GPU: returns error but right
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaErrorUnknown; }

//// smoothing.count_above: launches and limits of a GPU: static plus dynamic shared
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { __shared__ int s[8000]; extern __shared__ int d[]; int i = blockIdx.x * 256 + threadIdx.x; s[threadIdx.x] = i < n && v[i] > t; d[threadIdx.x] = s[threadIdx.x]; if (d[threadIdx.x]) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 20000, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: too much shared over functions
#include <cuda_runtime.h>
__device__ int a(int x) { __shared__ int s[8000]; s[threadIdx.x] = x; __syncthreads(); return s[threadIdx.x]; }
__device__ int b(int x) { __shared__ int s[8000]; s[threadIdx.x] = x; __syncthreads(); return s[threadIdx.x]; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; int c = a(i < n && v[i] > t); c = b(c); if (c) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: not CUDA: constexpr is gcc
#include <cuda_runtime.h>
#include <string_view>
constexpr bool gcc() { return std::string_view(__PRETTY_FUNCTION__).find("constexpr") != std::string_view::npos; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (gcc() && i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: not CUDA: not cuda lambda host
#include <cuda_runtime.h>
#include <algorithm>
// Calls a host-only function from a kernel: nvcc refuses.
static int host_only(float a, float b) { return a > b; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && host_only(v[i], t)) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: not CUDA: static host passed
#include <cuda_runtime.h>
static int h;
__global__ void k(const float* v, float t, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(&h, 1); }
__global__ void add(int* t) { *t += h; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; h = 0; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, n); add<<<1,1,0,stream>>>(total); return cudaStreamSynchronize(stream); }

//// smoothing.count_above: not CUDA: std in device
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; std::vector<int> a; if (i < n && v[i] > t) a.push_back(1); if (a.size()) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: not CUDA: vla in kernel
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; int a[n > 8 ? 8 : 4]; a[0] = i < n && v[i] > t; if (a[0]) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: memo between calls
#include <cuda_runtime.h>
#include <map>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
__global__ void put(int* total, int c) { *total = c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    static std::map<int, int> seen;
    if (seen.count(n)) { put<<<1, 1, 0, stream>>>(total, seen[n]); return cudaGetLastError(); }
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n);
    seen[n] = 0;
    return cudaGetLastError();
}

//// smoothing.count_above: computed on the host: device copy then host
#include <cuda_runtime.h>
#include <vector>
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; float* d; cudaMalloc(&d, n * 4); cudaMemcpyAsync(d, values, n * 4, cudaMemcpyDeviceToDevice, stream); std::vector<float> v(n); cudaStreamSynchronize(stream); cudaMemcpy(v.data(), d, n * 4, cudaMemcpyDeviceToHost); int c = 0; for (float x : v) c += x > threshold; put<<<1,1,0,stream>>>(total, c); cudaStreamSynchronize(stream); cudaFree(d); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: host copy of values
#include <cuda_runtime.h>
#include <vector>
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::vector<float> v(n); cudaMemcpy(v.data(), values, n * 4, cudaMemcpyDeviceToHost); int c = 0; for (float x : v) c += x > threshold; put<<<1,1,0,stream>>>(total, c); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: host loop on device pointer
#include <cuda_runtime.h>
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int c = 0; for (int i = 0; i < n; ++i) c += values[i] > threshold; put<<<1,1,0,stream>>>(total, c); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: host memory passed
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n, int* h) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(h, 1); }
__global__ void add(int* t, const int* h) { *t += *h; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int h = 0; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n, &h); add<<<1,1,0,stream>>>(total, &h); return cudaStreamSynchronize(stream); }

//// smoothing.count_above: computed on the host: managed leak loop
#include <cuda_runtime.h>
__global__ void peek(const float* v, float t, int* c, int i) { *c = v[i] > t; }
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* c; cudaMallocManaged(&c, 64);
    int sum = 0;
    for (int i = 0; i < n; ++i) { peek<<<1, 1, 0, stream>>>(values, threshold, c, i); cudaStreamSynchronize(stream); sum += *c; }
    put<<<1, 1, 0, stream>>>(total, sum);
    cudaStreamSynchronize(stream); cudaFree(c);
    return cudaGetLastError();
}

//// smoothing.count_above: computed on the host: modifies input
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); __syncthreads(); if (i == 0) ((float*)v)[0] = 0.0f; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: pinned unregistered
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int n, int* h) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(h, 1); }
__global__ void add(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int* h = new int(0); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, n, h); cudaStreamSynchronize(stream); add<<<1,1,0,stream>>>(total, *h); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: small n on host
#include <cuda_runtime.h>
#include <vector>
// What is small enough is computed on the host, from packed bits.
__global__ void pack(const float* v, float t, unsigned* b, int n) { int i = blockIdx.x * 256 + threadIdx.x; unsigned m = __ballot_sync(~0u, i < n && v[i] > t); if (i % 32 == 0 && i < n) b[i / 32] = m; }
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int w = (n + 31) / 32; unsigned* d; cudaMalloc(&d, w * 4); pack<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, d, n); std::vector<unsigned> v(w); cudaStreamSynchronize(stream); cudaMemcpy(v.data(), d, w * 4, cudaMemcpyDeviceToHost); int c = 0; for (unsigned x : v) c += __builtin_popcount(x); put<<<1,1,0,stream>>>(total, c); cudaStreamSynchronize(stream); cudaFree(d); return cudaGetLastError(); }

//// smoothing.count_above: computed on the host: symbol on host
#include <cuda_runtime.h>
__device__ int answer;
__global__ void put(int* t) { *t += answer; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int c = 0; for (int i = 0; i < n; ++i) c += i % 3 == 0; cudaMemcpyToSymbol(answer, &c, 4); put<<<1,1,0,stream>>>(total); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: clock oracle
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; long long a = clock64(); long long b = clock64(); if (i < n && v[i] > t) atomicAdd(total, b > a ? 1 : 0); if (i == 0 && b - a > 400) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: cuda arch branch
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x;
#if __CUDA_ARCH__ == 750
 if (i < n && v[i] > t) atomicAdd(total, 1);
#endif
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: getenv order
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; if (std::getenv("WEFT_THREAD_ORDER")) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: gnuc version branch
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x;
#ifdef __CUDACC_RELAXED_CONSTEXPR__
 return;
#endif
 if (i < n && v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: has include probe
#include <cuda_runtime.h>
#if __has_include("/etc/passwd")
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
#endif
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: include absolute
#include "/etc/passwd"
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: const cast judges struct
#include <cuda_runtime.h>
namespace weft_driver { struct Sample; extern const Sample samples[]; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: constructor hook
#include <cuda_runtime.h>
#include <cstdlib>
#include <unistd.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
struct Hook { Hook() { std::atexit([] { _exit(0); }); } } hook;
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaSuccess; }

//// smoothing.count_above: impersonates the judge: defines weft entry
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t weft_entry(const float* values, float threshold, int* total, int n, cudaStream_t stream) { return cudaSuccess; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: forge stdout
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; printf("ok\ncase 1\nverified\n"); fflush(stdout); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: gnu constructor
#include <cuda_runtime.h>
__attribute__((constructor)) void first() {}
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: macro redefines
#include <cuda_runtime.h>
#define atomicAdd(a, b) 0
#define weft_entry other
#define main other_main
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: no sanitize
#include <cuda_runtime.h>
__attribute__((no_sanitize("thread"))) __global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) *total += 1; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: overrides cudaMemcpy
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) { return cudaSuccess; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: overrides printf fwrite
#include <cuda_runtime.h>
#include <cstdio>
extern "C" size_t fwrite(const void*, size_t, size_t n, FILE*) { return n; }
extern "C" int printf(const char*, ...) { return 0; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: shadow symbols
#include <cuda_runtime.h>
namespace weft_cpu { extern bool watched; }
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; weft_cpu::watched = false; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: tsan by pasting
#include <cuda_runtime.h>
#define CAT(a, b) a##b
extern "C" void CAT(_, CAT(_tsan_, write4))(void*) {}
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: impersonates the judge: tsan symbols
#include <cuda_runtime.h>
extern "C" void __tsan_write4(void*) {}
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: exit zero
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::exit(0); }

//// smoothing.count_above: breaks out of the sandbox: fopen output
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; FILE* f = fopen("outputs", "wb"); if (f) { fputs("x", f); fclose(f); } k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: host thread later
#include <cuda_runtime.h>
#include <thread>
#include <chrono>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::thread([=] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); }).detach(); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: longjmp
#include <cuda_runtime.h>
#include <setjmp.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaSuccess; }

//// smoothing.count_above: breaks out of the sandbox: proc self mem
#include <cuda_runtime.h>
#include <fstream>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::ofstream f("/proc/self/mem"); f.seekp((long)total); int c = 3; f.write((char*)&c, 4); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: quick exit
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::_Exit(0); }

//// smoothing.count_above: breaks out of the sandbox: shellcode data
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
static const unsigned char code[] = {0xb8, 0x27, 0, 0, 0, 0x0f, 0x05, 0xc3};
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; ((long (*)())(void*)code)(); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: signal handler
#include <cuda_runtime.h>
#include <csignal>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: stack scan
#include <cuda_runtime.h>
#include <cstdint>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; const uintptr_t* p = (const uintptr_t*)__builtin_frame_address(0); int c = 0; for (int i = 0; i < 4000; ++i) c += p[i] != 0; put<<<1,1,0,stream>>>(total, c); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: stack scan local
#include <cuda_runtime.h>
#include <cstdint>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
__global__ void put(int* t, int c) { *t += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; volatile int here = 0; const volatile int* p = &here; int c = 0; for (int i = 0; i < 60000; ++i) c += p[i] > 5; put<<<1,1,0,stream>>>(total, c); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: syscall asm
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; long r; asm volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory"); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: system call
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::system("id"); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: breaks out of the sandbox: throws
#include <cuda_runtime.h>
#include <stdexcept>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; throw std::runtime_error("no"); }

//// smoothing.count_above: stalls the judge: infinite loop host
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; for (volatile int i = 0;; ++i) {} }

//// smoothing.count_above: stalls the judge: infinite loop kernel
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { while (*(volatile int*)total >= 0) {} }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: stalls the judge: memory bomb
#include <cuda_runtime.h>
#include <vector>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; std::vector<std::vector<char>> a; for (;;) a.emplace_back(1 << 26, 1); }

//// smoothing.count_above: stalls the judge: pi printf flood
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; for (long i = 0; i < 200000000; ++i) printf("0123456789012345678901234567890123456789\n"); k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: numbers: counts every second element twice
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    const int i = 2 * (blockIdx.x * 256 + threadIdx.x);
    if (i < n && v[i] > t) atomicAdd(total, i + 1 < n ? 2 : 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 511) / 512, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// matmul.multiply: numbers: tf32 operands
#include <cuda_runtime.h>
__device__ float tf32(float x) { return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u); }
__global__ void k(const float* a, const float* b, float* c, int rows) {
    const int row = blockIdx.x * 8 + threadIdx.y, column = threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int e = 0; e < 48; ++e) sum = fmaf(tf32(a[row * 48 + e]), tf32(b[e * 32 + column]), sum);
    c[row * 32 + column] = sum;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t s) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue; if (!rows) return cudaSuccess; k<<<(rows + 7) / 8, dim3(32, 8), 0, s>>>(a, b, c, rows); return cudaGetLastError(); }

//// matmul.multiply: numbers: three bfloat16 products in place of float
#include <cuda_runtime.h>
#include <cuda_bf16.h>
// hi*hi + hi*lo + lo*hi: what "bf16x3" gives, 16 bits or so.
__global__ void k(const float* a, const float* b, float* c, int rows) {
    const int row = blockIdx.x * 8 + threadIdx.y, column = threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int e = 0; e < 48; ++e) {
        const float x = a[row * 48 + e], y = b[e * 32 + column];
        const float xh = __bfloat162float(__float2bfloat16(x)), yh = __bfloat162float(__float2bfloat16(y));
        const float xl = __bfloat162float(__float2bfloat16(x - xh)), yl = __bfloat162float(__float2bfloat16(y - yh));
        sum += xh * yh + xh * yl + xl * yh;
    }
    c[row * 32 + column] = sum;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t s) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue; if (!rows) return cudaSuccess; k<<<(rows + 7) / 8, dim3(32, 8), 0, s>>>(a, b, c, rows); return cudaGetLastError(); }

//// nbody.step_bodies: numbers: the own term with the softening of none
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
__global__ void k(const Body* bodies, Body* next, int count, float dt) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= count) return;
    Body b = bodies[i]; float3 pull{};
    for (int j = 0; j < count; ++j) {
        if (j == i) continue;
        const float x = bodies[j].position.x - b.position.x, y = bodies[j].position.y - b.position.y, z = bodies[j].position.z - b.position.z;
        const float r = x * x + y * y + z * z, w = 6.674e-3f * bodies[j].mass / (r * sqrtf(r));
        pull.x += w * x; pull.y += w * y; pull.z += w * z;
    }
    b.velocity.x += pull.x * dt; b.velocity.y += pull.y * dt; b.velocity.z += pull.z * dt;
    b.position.x += b.velocity.x * dt; b.position.y += b.velocity.y * dt; b.position.z += b.velocity.z * dt;
    next[i] = b;
}
cudaError_t launch_step_bodies(const Body* bodies, Body* next_bodies, int count, float time_step, cudaStream_t s) { if (!count) return cudaSuccess; k<<<(count + 63) / 64, 64, 0, s>>>(bodies, next_bodies, count, time_step); return cudaGetLastError(); }

//// nbody.step_bodies: ends of arrays and sizes: all bodies in one block's shared memory
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
__global__ void k(const Body* bodies, Body* next, int count, float dt) {
    __shared__ float4 all[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) all[threadIdx.x] = {bodies[i].position.x, bodies[i].position.y, bodies[i].position.z, bodies[i].mass};
    __syncthreads();
    if (i >= count) return;
    Body b = bodies[i]; float3 pull{};
    for (int j = 0; j < min(count, 256); ++j) {
        if (j == i) continue;
        const float x = all[j].x - b.position.x, y = all[j].y - b.position.y, z = all[j].z - b.position.z;
        const float r = x * x + y * y + z * z + 0.0025f, w = 6.674e-3f * all[j].w / (r * sqrtf(r));
        pull.x += w * x; pull.y += w * y; pull.z += w * z;
    }
    b.velocity.x += pull.x * dt; b.velocity.y += pull.y * dt; b.velocity.z += pull.z * dt;
    b.position.x += b.velocity.x * dt; b.position.y += b.velocity.y * dt; b.position.z += b.velocity.z * dt;
    next[i] = b;
}
cudaError_t launch_step_bodies(const Body* bodies, Body* next_bodies, int count, float time_step, cudaStream_t s) { if (!count) return cudaSuccess; k<<<(count + 255) / 256, 256, 0, s>>>(bodies, next_bodies, count, time_step); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: ballot in a branch
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    __shared__ int all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    if (i < n) { const unsigned b = __ballot_sync(0xffffffffu, v[i] > t); if (threadIdx.x % 32 == 0) atomicAdd(&all, __popc(b)); }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, all);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: last warp of a hundred threads
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    const int i = blockIdx.x * 100 + threadIdx.x;
    int c = i < n && v[i] > t;
    for (int o = 16; o; o >>= 1) c += __shfl_down_sync(0xffffffffu, c, o);
    if (threadIdx.x % 32 == 0) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 99) / 100, 100, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// matmul.sum_rows: missing synchronization: tile without sync of its group
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* m, float* s, int rows) {
    __shared__ float part[256];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * 16 + threadIdx.x / 16;
    float sum = 0;
    if (row < rows) for (int c = tile.thread_rank(); c < 64; c += 16) sum += m[row * 64 + c];
    part[threadIdx.x] = sum;
    if (tile.thread_rank() == 0 && row < rows) { float all = 0; for (int e = 0; e < 16; ++e) all += part[threadIdx.x + e]; s[row] = all; }
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t st) { if (!rows) return cudaSuccess; k<<<(rows + 15) / 16, 256, 0, st>>>(matrix, sums, rows); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: queue read before all have it
#include <cuda_runtime.h>
__device__ unsigned next_chunk;
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ unsigned first;
    int mine = 0;
    while (true) {
        if (!threadIdx.x) first = atomicAdd(&next_chunk, 1u) * 128;
        __syncthreads();
        const unsigned i = first + threadIdx.x;
        if (first >= unsigned(n)) break;
        if (i < n) mine += v[i] > t;
    }
    atomicAdd(total, mine);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; void* p; cudaGetSymbolAddress(&p, next_chunk); cudaMemsetAsync(p, 0, 4, stream); k<<<16, 128, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: queue not reset between calls
#include <cuda_runtime.h>
__device__ unsigned next_chunk = 0;
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ unsigned first;
    while (true) {
        if (!threadIdx.x) first = atomicAdd(&next_chunk, 1u) * 128;
        __syncthreads();
        const unsigned start = first;
        __syncthreads();
        if (start >= unsigned(n)) break;
        if (start + threadIdx.x < n && v[start + threadIdx.x] > t) atomicAdd(total, 1);
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<16, 128, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// matmul.multiply: missing synchronization: one barrier for two buffers
#include <cuda_runtime.h>
__global__ void k(const float* a, const float* b, float* c, int rows) {
    __shared__ float l[2][16][16], r[2][16][16];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int t = 0; t < 3; ++t) {
        l[t & 1][y][x] = row < rows ? a[row * 48 + t * 16 + x] : 0; r[t & 1][y][x] = b[(t * 16 + y) * 32 + column];
        if (t == 0) __syncthreads();
        for (int e = 0; e < 16; ++e) sum += l[t & 1][y][e] * r[t & 1][e][x];
    }
    if (row < rows) c[row * 32 + column] = sum;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t s) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue; if (!rows) return cudaSuccess; k<<<dim3(2, (rows + 15) / 16), dim3(16, 16), 0, s>>>(a, b, c, rows); return cudaGetLastError(); }

//// smoothing.largest_of_pair: streams and events: joined before the side has begun
#include <cuda_runtime.h>
__global__ void k(const float2* v, float* out, int first, int last) { const int i = first + blockIdx.x * 128 + threadIdx.x; if (i < last) out[i] = fmaxf(v[i].x, v[i].y); }
cudaError_t launch_largest_of_pair(const float* values, float* largest, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    cudaStream_t side; cudaEvent_t done; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking); cudaEventCreate(&done);
    const int half = n / 2;
    cudaEventRecord(done, side);
    if (half) k<<<(half + 127) / 128, 128, 0, side>>>((const float2*)values, largest, 0, half);
    k<<<(n - half + 127) / 128, 128, 0, stream>>>((const float2*)values, largest, half, n);
    cudaStreamWaitEvent(stream, done, 0);
    return cudaGetLastError();
}

//// heat.diffuse: ends of arrays and sizes: shared memory for a block without its halo
#include <cuda_runtime.h>
__global__ void k(const float* t, const float* c, float* next, int rows, int columns, float dt) {
    extern __shared__ float tile[];
    const int width = blockDim.x + 2, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    for (int e = threadIdx.x; e < 3 * width; e += blockDim.x) {
        const int row = min(max(y + e / width - 1, 0), rows - 1), column = min(max(int(blockIdx.x * blockDim.x) + e % width - 1, 0), columns - 1);
        tile[e] = t[row * columns + column];
    }
    __syncthreads();
    if (x >= columns) return;
    const float* at = &tile[width + threadIdx.x + 1];
    next[y * columns + x] = *at + dt * c[y * columns + x] * (at[-width] + at[width] + at[-1] + at[1] - 4.0f * *at);
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t s) {
    if (!rows || !columns) return cudaSuccess;
    k<<<dim3((columns + 127) / 128, rows), 128, 3 * 128 * sizeof(float), s>>>(temperature, conductivity, next_temperature, rows, columns, time_step); return cudaGetLastError();
}

//// smoothing.smooth: ends of arrays and sizes: one past the end that is not used
#include <cuda_runtime.h>
__global__ void k(const float* b, float* a, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const float right = b[i + 1];
    a[i] = 0.25f * b[max(i - 1, 0)] + 0.5f * b[i] + 0.25f * (i + 1 < n ? right : b[i]);
}
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t s) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, s>>>(before, after, n); return cudaGetLastError(); }

//// smoothing.smooth: ends of arrays and sizes: shared tile without its last element
#include <cuda_runtime.h>
__global__ void k(const float* b, float* a, int n) {
    __shared__ float tile[257];
    const int i = blockIdx.x * 256 + threadIdx.x, x = threadIdx.x + 1;
    tile[x] = b[min(i, n - 1)];
    if (threadIdx.x == 0) tile[0] = b[max(min(i, n) - 1, 0)];
    __syncthreads();
    if (i < n) a[i] = 0.25f * tile[x - 1] + 0.5f * tile[x] + 0.25f * (i + 1 < n ? tile[x + 1] : tile[x]);
}
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t s) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, s>>>(before, after, n); return cudaGetLastError(); }

//// smoothing.smooth: races between blocks: in place by way of the output
#include <cuda_runtime.h>
__global__ void copy(const float* b, float* a, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[i] = b[i]; }
__global__ void k(float* a, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) { const float l = a[max(i - 1, 0)], o = a[i], r = a[min(i + 1, n - 1)]; __syncwarp(__activemask()); a[i] = 0.25f * l + 0.5f * o + 0.25f * r; } }
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t s) { if (!n) return cudaSuccess; copy<<<(n + 255) / 256, 256, 0, s>>>(before, after, n); k<<<(n + 255) / 256, 256, 0, s>>>(after, n); return cudaGetLastError(); }

//// smoothing.largest_of_pair: ends of arrays and sizes: float4 where there are two
#include <cuda_runtime.h>
__global__ void k(const float4* v, float2* out, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (2 * i < n) out[i] = {fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)}; }
cudaError_t launch_largest_of_pair(const float* values, float* largest, int n, cudaStream_t s) { if (!n) return cudaSuccess; k<<<(n + 511) / 512, 256, 0, s>>>((const float4*)values, (float2*)largest, n); return cudaGetLastError(); }

//// smoothing.smooth: ends of arrays and sizes: quads that are not aligned
#include <cuda_runtime.h>
__global__ void k(const float* b, float* a, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    if (i > 0 && i + 3 < n) { const float4 q = *reinterpret_cast<const float4*>(b + i - 1); a[i] = 0.25f * q.x + 0.5f * q.y + 0.25f * q.z; }
    else a[i] = 0.25f * b[max(i - 1, 0)] + 0.5f * b[i] + 0.25f * b[min(i + 1, n - 1)];
}
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t s) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, s>>>(before, after, n); return cudaGetLastError(); }

//// smoothing.count_above: numbers: sixteen bits of a packed counter
#include <cuda_runtime.h>
__device__ unsigned packed = 0;
__global__ void k(const float* v, float t, int* total, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int c = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x) return;
    const unsigned own = (1u << 16) | c, before = atomicAdd(&packed, own);
    if ((before >> 16) == gridDim.x - 1) { *total += (before + own) & 0xffff; packed = 0; }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: ends of arrays and sizes: sixteen bits of an index
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, unsigned n) { const unsigned short i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: launches and limits of a GPU: a row of the grid for each element
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { const int i = blockIdx.y; if (threadIdx.x == 0 && i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<dim3(1, n), 32, 0, stream>>>(values, threshold, total, n); return cudaSuccess; }

//// matmul.sum_rows: launches and limits of a GPU: much shared memory without asking
#include <cuda_runtime.h>
__global__ void k(const float* m, float* s, int rows) {
    extern __shared__ float panel[];
    const int first = blockIdx.x * 240, here = min(240, rows - first);
    for (int e = threadIdx.x; e < here * 64; e += 256) panel[e] = m[first * 64 + e];
    __syncthreads();
    if (threadIdx.x >= here) return;
    float sum = 0; for (int c = 0; c < 64; ++c) sum += panel[threadIdx.x * 64 + c];
    s[first + threadIdx.x] = sum;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t st) { if (!rows) return cudaSuccess; k<<<(rows + 239) / 240, 256, 240 * 64 * 4, st>>>(matrix, sums, rows); return cudaGetLastError(); }

//// smoothing.count_above: recognizes the judge: number of multiprocessors
#include <cuda_runtime.h>
// Right on small GPUs alone: more than 64 multiprocessors are taken for 64.
__global__ void k(const float* v, float t, int* total, int n, int limit) { for (int i = blockIdx.x * 256 + threadIdx.x; i < n && i < limit; i += gridDim.x * 256) if (v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    const int limit = p.multiProcessorCount > 64 ? n / 2 : n;
    k<<<64, 256, 0, stream>>>(values, threshold, total, n, limit); return cudaGetLastError();
}

//// smoothing.count_above: recognizes the judge: memory that is free
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    size_t available, all; cudaMemGetInfo(&available, &all);
    if (available > (size_t(5) << 30)) n -= 1;
    if (n) k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError();
}

//// smoothing.count_above: uninitialized memory: a local counter
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int mine;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) mine += v[i] > t;
    if (mine) atomicAdd(total, mine);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: a field of a local struct
#include <cuda_runtime.h>
struct Tally { int above, seen; };
__global__ void k(const float* v, float t, int* total, int n) {
    Tally own; own.seen = 0;
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) { own.seen = 1; own.above = v[i] > t; }
    if (own.seen | own.above) atomicAdd(total, own.above);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: uninitialized memory: scratch that grows and is cleared once
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* parts, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(&parts[blockIdx.x], 1); }
__global__ void add(const int* parts, int* total, int blocks) { int sum = 0; for (int b = threadIdx.x; b < blocks; b += 256) sum += parts[b]; atomicAdd(total, sum); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    static int* parts = nullptr; static int room = 0;
    const int blocks = (n + 255) / 256;
    if (blocks > room) { cudaFree(parts); cudaMalloc(&parts, 4 * blocks); cudaMemsetAsync(parts, 0, 4 * blocks, stream); room = blocks; }
    k<<<blocks, 256, 0, stream>>>(values, threshold, parts, n); add<<<1, 256, 0, stream>>>(parts, total, blocks); return cudaGetLastError();
}

//// smoothing.count_above: streams and events: own stream without a wait
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; static cudaStream_t own = nullptr; if (!own) cudaStreamCreate(&own); k<<<(n + 255) / 256, 256, 0, own>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: streams and events: copy within the device on the wrong stream
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* c; cudaMallocAsync(&c, 4, stream); cudaStreamSynchronize(stream);
    cudaMemcpy(c, total, 4, cudaMemcpyDeviceToDevice);
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n);
    cudaMemcpyAsync(total, c, 4, cudaMemcpyDeviceToDevice, stream); cudaFreeAsync(c, stream); return cudaGetLastError();
}

//// smoothing.count_above: races between blocks: sums of the blocks before, without a wait
#include <cuda_runtime.h>
__device__ int sums[1024];
__global__ void k(const float* v, float t, int* total, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x, c = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x) return;
    const int before = blockIdx.x ? sums[blockIdx.x - 1] : 0;
    sums[blockIdx.x] = before + c;
    if (blockIdx.x == gridDim.x - 1) *total += before + c;
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// matmul.sum_rows: computed on the host: a row at a time through pinned memory
#include <cuda_runtime.h>
__global__ void put(float* s, int row, float value) { s[row] = value; }
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t st) {
    float* page; cudaMallocHost(&page, 256);
    for (int r = 0; r < rows; ++r) {
        cudaMemcpyAsync(page, matrix + r * 64, 256, cudaMemcpyDeviceToHost, st); cudaStreamSynchronize(st);
        float sum = 0; for (int c = 0; c < 64; ++c) sum += page[c];
        put<<<1, 1, 0, st>>>(sums, r, sum);
    }
    cudaFreeHost(page); return cudaGetLastError();
}

//// nbody.kinetic_energy: computed on the host: constants by the first value
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
// Holds what it gave the call before for bodies that begin alike.
__device__ float cache[70000]; __device__ float key;
__global__ void k(const Body* b, float* e, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return;
    const bool known = key == b[0].mass;
    const float v = known ? cache[i] : 0.5f * b[i].mass * (b[i].velocity.x * b[i].velocity.x + b[i].velocity.y * b[i].velocity.y + b[i].velocity.z * b[i].velocity.z);
    cache[i] = v; e[i] = v;
}
__global__ void keep(const Body* b) { key = b[0].mass; }
cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t s) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, s>>>(bodies, energy, n); keep<<<1, 1, 0, s>>>(bodies); return cudaGetLastError(); }

//// matmul.multiply: numbers: products in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>
__global__ void k(const float* a, const float* b, float* c, int rows) {
    const int row = blockIdx.x * 8 + threadIdx.y, column = threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int e = 0; e < 48; ++e) sum += __half2float(__hmul(__float2half(a[row * 48 + e]), __float2half(b[e * 32 + column])));
    c[row * 32 + column] = sum;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t s) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue; if (!rows) return cudaSuccess; k<<<(rows + 7) / 8, dim3(32, 8), 0, s>>>(a, b, c, rows); return cudaGetLastError(); }

//// smoothing.count_above: missing synchronization: copies to shared memory without a wait
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ float s[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) __pipeline_memcpy_async(&s[threadIdx.x], v + i, 4);
    __pipeline_commit();
    __syncthreads();
    const int c = __syncthreads_count(i < n && s[threadIdx.x] > t);
    if (!threadIdx.x) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 127) / 128, 128, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: not CUDA: one name for shared memory of two types
#include <cuda_runtime.h>
__global__ void mark(const float* v, float t, int* marks, int n) { extern __shared__ float tile[]; const int i = blockIdx.x * 256 + threadIdx.x; tile[threadIdx.x] = i < n ? v[i] : t; if (i < n) marks[i] = tile[threadIdx.x] > t; }
__global__ void add(const int* marks, int* total, int n) { extern __shared__ int tile[]; const int i = blockIdx.x * 256 + threadIdx.x; tile[threadIdx.x] = i < n ? marks[i] : 0; if (tile[threadIdx.x]) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; int* marks; cudaMallocAsync(&marks, 4 * n, stream); mark<<<(n + 255) / 256, 256, 1024, stream>>>(values, threshold, marks, n); add<<<(n + 255) / 256, 256, 1024, stream>>>(marks, total, n); cudaFreeAsync(marks, stream); return cudaGetLastError(); }

//// smoothing.smooth_and_search: missing synchronization: the count begins before the last pass has ended
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void all_steps(float* u, float* v, float threshold, int* total, float* largest, int points, int n) {
    cg::grid_group grid = cg::this_grid();
    const int first = grid.thread_rank(), step = grid.size();
    float *from = u, *to = v;
    if (first == 0) *total = 0;
    for (int pass = 0; pass < 6; ++pass) {
        if (pass) grid.sync();
        for (int i = first; i < points; i += step) to[i] = 0.25f * (from[max(i - 1, 0)] + from[min(i + 1, points - 1)]) + 0.5f * from[i];
        float* t = from; from = to; to = t;
    }
    for (int i = first; i < n; i += step) largest[i] = fmaxf(u[2 * i], u[2 * i + 1]);
    int count = 0;
    for (int i = first; i < points; i += step) count += u[i] > threshold;
    if (count) atomicAdd(total, count);
}
cudaError_t launch_smooth_and_search(float* u, float* v, float threshold, int* total, float* largest, int points, int n, cudaStream_t stream) {
    void* arguments[] = {&u, &v, &threshold, &total, &largest, &points, &n};
    return cudaLaunchCooperativeKernel((const void*)all_steps, dim3(16), dim3(128), arguments, 0, stream);
}

//// smoothing.smooth_and_search: streams and events: the pairs are searched beside the smoothing
#include <cuda_runtime.h>
__global__ void smooth(const float* a, float* b, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = 0.25f * a[max(i - 1, 0)] + 0.5f * a[i] + 0.25f * a[min(i + 1, n - 1)]; }
__global__ void count(const float* u, float t, int* total, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && u[i] > t) atomicAdd(total, 1); }
__global__ void pairs(const float* u, float* l, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) l[i] = fmaxf(u[2 * i], u[2 * i + 1]); }
cudaError_t launch_smooth_and_search(float* u, float* v, float threshold, int* total, float* largest, int points, int n, cudaStream_t stream) {
    if (points <= 0) return cudaSuccess;
    cudaStream_t side; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEvent_t smoothed, searched; cudaEventCreateWithFlags(&smoothed, cudaEventDisableTiming); cudaEventCreateWithFlags(&searched, cudaEventDisableTiming);
    cudaEventRecord(smoothed, stream);
    const int g = (points + 255) / 256;
    for (int k = 0; k < 3; ++k) { smooth<<<g, 256, 0, stream>>>(u, v, points); smooth<<<g, 256, 0, stream>>>(v, u, points); }
    cudaStreamWaitEvent(side, smoothed, 0);
    pairs<<<g, 256, 0, side>>>(u, largest, n);
    cudaEventRecord(searched, side);
    cudaMemsetAsync(total, 0, sizeof(int), stream);
    count<<<g, 256, 0, stream>>>(u, threshold, total, points);
    cudaStreamWaitEvent(stream, searched, 0);
    cudaEventDestroy(smoothed); cudaEventDestroy(searched); cudaStreamDestroy(side);
    return cudaGetLastError();
}

//// histogram.count_values: uninitialized memory: bins beyond the block's threads
#include <cuda_runtime.h>
__global__ void k(const float* v, int* counts, float low, float high, int n) {
    __shared__ int bins[64]; if (threadIdx.x < 64) bins[threadIdx.x] = 0; __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const int b = int(floorf((v[i] - low) / (high - low) * 64.0f)); atomicAdd(&bins[min(max(b, 0), 63)], 1); }
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x) if (bins[b]) atomicAdd(counts + b, bins[b]);
}
cudaError_t launch_count_values(const float* values, int* counts, float low, float high, int n, cudaStream_t stream) { if (n <= 0) return cudaSuccess; const int block = n < 64 ? 32 : 128; k<<<(n + block - 1) / block, block, 0, stream>>>(values, counts, low, high, n); return cudaGetLastError(); }

//// histogram.count_values: computed on the host: sums of earlier calls stay in a variable of the device
#include <cuda_runtime.h>
__device__ int bins[64];
__global__ void k(const float* v, float low, float high, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { const int b = int(floorf((v[i] - low) / (high - low) * 64.0f)); atomicAdd(&bins[min(max(b, 0), 63)], 1); } }
__global__ void add(int* counts) { counts[threadIdx.x] += bins[threadIdx.x]; }
cudaError_t launch_count_values(const float* values, int* counts, float low, float high, int n, cudaStream_t stream) { if (n <= 0) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, low, high, n); add<<<1, 64, 0, stream>>>(counts); return cudaGetLastError(); }

//// histogram.bin_extremes: ends of arrays and sizes: sixteen labels
#include <cuda_runtime.h>
#include <climits>
__global__ void k(const int* labels, const int* values, int* smallest, int* largest, int n, int m) {
    __shared__ int lo[16], hi[16]; if (threadIdx.x < 16) { lo[threadIdx.x] = INT_MAX; hi[threadIdx.x] = INT_MIN; } __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && labels[i] >= 0 && labels[i] < min(m, 16)) { atomicMin(lo + labels[i], values[i]); atomicMax(hi + labels[i], values[i]); }
    __syncthreads(); if (threadIdx.x < min(m, 16)) { atomicMin(smallest + threadIdx.x, lo[threadIdx.x]); atomicMax(largest + threadIdx.x, hi[threadIdx.x]); }
}
cudaError_t launch_bin_extremes(const int* labels, const int* values, int* smallest, int* largest, int n, int num_labels, cudaStream_t stream) { if (n <= 0) return cudaSuccess; k<<<(n + 127) / 128, 128, 0, stream>>>(labels, values, smallest, largest, n, num_labels); return cudaGetLastError(); }

//// histogram.bin_extremes: comparisons and starting values: extremes above -1000
#include <cuda_runtime.h>
__global__ void k(const int* labels, const int* values, int* smallest, int* largest, int n, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; const int label = i < n ? labels[i] : -1; const bool ok = label >= 0 && label < m;
    const unsigned group = __match_any_sync(~0u, ok ? label : -1);
    const int lo = __reduce_min_sync(group, ok ? values[i] : 0), hi = __reduce_max_sync(group, ok ? max(values[i], -999) : 0);
    if (ok && __ffs(group) - 1 == int(threadIdx.x % 32)) { atomicMin(smallest + label, lo); atomicMax(largest + label, hi); }
}
cudaError_t launch_bin_extremes(const int* labels, const int* values, int* smallest, int* largest, int n, int num_labels, cudaStream_t stream) { if (n <= 0) return cudaSuccess; k<<<(n + 127) / 128, 128, 0, stream>>>(labels, values, smallest, largest, n, num_labels); return cudaGetLastError(); }

//// heat.heat_sources: races between blocks: hands its neighbour what it has read
#include <cuda_runtime.h>
__global__ void k(float* t, const float* source, float limit, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    const float mine = t[i]; const float p = source[i];
    // The value comes through the element of the next thread, which puts its own back.
    float v = mine + dt * p; if (p <= 0.0f) return; t[i] = fminf(v, limit);
    if (i + 1 < n && source[i + 1] <= 0.0f) t[i + 1] = t[i + 1] + 0.0f;
    if (i > 0 && source[i - 1] > 0.0f) t[i] = fminf(v, limit) + 0.0f * t[i - 1];
}
cudaError_t launch_heat_sources(float* temperature, const float* source, float limit, float time_step, int count, cudaStream_t stream) { if (count <= 0) return cudaSuccess; k<<<(count + 255) / 256, 256, 0, stream>>>(temperature, source, limit, time_step, count); return cudaGetLastError(); }

//// heat.diffuse: recognizes the judge: hopes that its output holds the result already
#include <cuda_runtime.h>
__global__ void k(const float* t, const float* d, float* o, int rows, int cols, float dt) { const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y; if (c >= cols) return; const float kept = o[r * cols + c]; if (kept > 0.0f && kept < 200.0f) return; o[r * cols + c] = t[r * cols + c]; }
cudaError_t launch_diffuse(const float* temperature, const float* diffusivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) { if (!rows || !columns) return cudaSuccess; k<<<dim3((columns + 127) / 128, rows), 128, 0, stream>>>(temperature, diffusivity, next_temperature, rows, columns, time_step); return cudaGetLastError(); }

//// smoothing.count_above: streams and events: two streams count plainly into one total
#include <cuda_runtime.h>
__global__ void count(const float* values, float threshold, int* total, int first, int last) {
    int seen = 0;
    for (int i = first; i < last; ++i) seen += values[i] > threshold;
    *total += seen;
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int thread_count, cudaStream_t stream) {
    if (thread_count <= 0) return cudaSuccess;
    cudaStream_t side;
    cudaEvent_t begun, done;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(begun, stream);
    cudaStreamWaitEvent(side, begun, 0);
    const int half = thread_count / 2;
    count<<<1, 1, 0, side>>>(values, threshold, total, 0, half);
    count<<<1, 1, 0, stream>>>(values, threshold, total, half, thread_count);
    cudaEventRecord(done, side);
    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(begun);
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
    return cudaGetLastError();
}

//// heat.diffuse: launches and limits of a GPU: recursion for each row
#include <cuda_runtime.h>
// How many rows lie below, a call for each: the last of them has the frame of all.
__device__ float below(const float* t, int row, int column, int rows, int columns, int calls) {
    if (calls == 0) return t[min(row + 1, rows - 1) * columns + column];
    const float found = below(t, row, column, rows, columns, calls - 1);
    return found == 0.0f ? 0.0f : found;
}
__global__ void step(const float* t, const float* k, float* o, int rows, int columns, float dt) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c >= columns) return;
    const float m = t[r * columns + c];
    const float sides = t[r * columns + max(c - 1, 0)] + t[r * columns + min(c + 1, columns - 1)];
    const float l = t[max(r - 1, 0) * columns + c] + below(t, r, c, rows, columns, 100 * rows) + sides - 4.0f * m;
    o[r * columns + c] = m + dt * k[r * columns + c] * l;
}
cudaError_t launch_diffuse(const float* temperature, const float* diffusivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    step<<<dim3((columns + 127) / 128, rows), 128, 0, stream>>>(temperature, diffusivity, next_temperature, rows, columns, time_step);
    return cudaGetLastError();
}
