// Candidates for the sample `evens` as experts write them, each in other ways than the sample's own program.
// Each begins with its name and the verdict that it deserves; test_candidate.py says what it may use.

//// a template that its arguments name, with operations as parameters: verified
#include <iostream>
#include <stdexcept>
#include <type_traits>
#ifndef CUDA_CHECK
#define CUDA_CHECK(call)                                                                     \
    do {                                                                                     \
        if (const cudaError_t err = (call); err != cudaSuccess) {                            \
            std::cerr << cudaGetErrorString(err) << " in line " << __LINE__ << std::endl;    \
            throw std::runtime_error("CUDA");                                                \
        }                                                                                    \
    } while (0)
#endif
#if defined(_MSC_VER) || CUDART_VERSION < 11000
#error "of no use"
#endif
template <typename T>
struct Line {
    T slope;
    __host__ __device__ constexpr explicit Line(T slope) : slope(slope) {}
    __device__ T operator()(T x, T y) const { return slope * x + y; }
};
template <int kBlock, typename T, typename Combine, typename Finish>
__global__ void __launch_bounds__(kBlock) combine(const T* __restrict__ x, const T* __restrict__ y,
                                                  T* __restrict__ out, size_t count, Combine of, Finish finish) {
    static_assert(std::is_floating_point<T>::value, "floats");
    const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
    for (size_t i = blockIdx.x * stride / gridDim.x + threadIdx.x; i < count; i += stride) {
        out[2 * i] = finish(of(__ldg(x + 2 * i), __ldcg(y + 2 * i)));
    }
}
LAUNCHER {
    int sms = 0, per_sm = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    const Line<float> line(2.0f);
    const auto positive = [] __device__(float value) { return value > 0.0f ? value : 0.0f; };
    auto* const kernel = combine<128, float, Line<float>, decltype(positive)>;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, 128, 0));
    combine<128><<<sms * per_sm, 128, 0, stream>>>(x, y, out, (n + 1) / 2, line, positive);
    CUDA_CHECK(cudaGetLastError());
    return cudaSuccess;
}

//// memory of many kinds: verified
#include <memory>
#include <vector>
struct Free { void operator()(float* p) const { cudaFree(p); } };
extern __shared__ unsigned char shared[];
__global__ void doubled(const float* x, float* twice, const float* factors, int n) {
    float* tile = reinterpret_cast<float*>(shared);
    INDEX;
    for (int k = threadIdx.x; k < 16000; k += blockDim.x) tile[k] = factors[k % 4];
    __syncthreads();
    if (i < n) twice[i] = tile[15999 - threadIdx.x] * x[i];
}
__global__ void add(const float* twice, const float* y, float* out, int n) {
    INDEX;
    if (i < n && (i & 1) == 0) out[i] = max(twice[i] + y[i], 0.0f);
}
LAUNCHER {
    float *managed, *table, *pinned, *pitched;
    size_t pitch;
    cudaMallocManaged(&managed, n * sizeof(float));
    const std::unique_ptr<float, Free> owner(managed);
    cudaMallocHost(&pinned, 4 * sizeof(float));
    cudaMallocAsync(&table, 4 * sizeof(float), stream);
    cudaMallocPitch(&pitched, &pitch, 16, 2);
    cudaMemset2DAsync(pitched, pitch, 0, 16, 2, stream);
    const std::vector<float> twos(4, 2.0f);
    memcpy(pinned, twos.data(), 4 * sizeof(float));
    cudaMemcpyAsync(table, pinned, 4 * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(pitched, table, 16, cudaMemcpyDefault, stream);
    cudaError_t status = cudaFuncSetAttribute(doubled, cudaFuncAttributeMaxDynamicSharedMemorySize, 64000);
    if (status != cudaSuccess) return status;
    doubled<<<(n + 255) / 256, 256, 64000, stream>>>(x, managed, pitched, n);
    void* arguments[] = {&managed, &y, &out, &n};
    status = cudaLaunchKernel((const void*)add, dim3((n + 127) / 128), dim3(128), arguments, 0, stream);
    cudaStreamSynchronize(stream);
    cudaFreeAsync(table, stream);
    cudaFree(pitched);
    cudaFreeHost(pinned);
    return status;
}

//// warps that reduce, scan and vote: verified
__inline__ __device__ int warp_sum(int value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
__inline__ __device__ int block_sum(int value) {
    static __shared__ int sums[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = warp_sum(value);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? sums[lane] : 0;
    return warp == 0 ? warp_sum(value) : value;
}
__global__ void count(int* total, int n) {
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) ++mine;
    mine = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(total, mine);
    if (blockIdx.x == 0 && threadIdx.x == 0 && n < 0) printf("%d\n", mine);
}
__global__ void finish(const float* x, const float* y, float* out, int n, const int* total) {
    INDEX;
    bool even;
    even = i % 2 == 0;
    const unsigned int votes = __ballot_sync(0xffffffffu, i < n && even);
    const int rank = __popc(votes & ((1u << (threadIdx.x & 31)) - 1)), all = __popcll(votes);
    int agree;
    __match_all_sync(0xffffffffu, all, &agree);
    if (i < n && even) out[i] = fmaxf((*total == n && rank < all && agree ? 2.0f : 3.0f) * x[i] + y[i], 0.0f);
}
LAUNCHER {
    int* total;
    cudaMalloc(&total, sizeof(int));
    cudaMemsetAsync(total, 0, sizeof(int), stream);
    count<<<8, 256, 0, stream>>>(total, n);
    finish<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n, total);
    cudaFree(total);
    return cudaGetLastError();
}

//// groups, and threads that come together where they are: verified
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ double atomic_add(double* address, double value) {
    auto* bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ double sum;
__device__ int odd;
EVENS {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto four = cg::tiled_partition<4>(warp);
    __shared__ int total;
    if (block.thread_rank() == 0) total = 0;
    block.sync();
    const int lanes = cg::reduce(warp, 1, cg::plus<int>()), rank = cg::exclusive_scan(four, 1);
    if (warp.thread_rank() == 0) atomicAdd(&total, lanes);
    cg::sync(block);
    const int i = static_cast<int>(cg::this_grid().thread_rank());
    bool right = total == static_cast<int>(block.size()) && rank == static_cast<int>(four.thread_rank());
    if (i % 2 != 0) {
        const unsigned int here = __activemask();
        if (threadIdx.x % 32 == __ffs(here) - 1) atomicAdd(&odd, __popc(here));
    } else {
        const cg::coalesced_group here = cg::coalesced_threads();
        right = right && here.shfl(i, 0) <= i;
    }
    if (threadIdx.x < 4) atomic_add(&sum, 1.0);
    if (i < n && i % 2 == 0) out[i] = fmaxf((right ? 2.0f : 0.0f) * x[i] + y[i], 0.0f);
}

//// blocks that wait for those before them: verified
__device__ unsigned int started;
__device__ volatile int sums[1024];
__global__ void reset() {
    if (threadIdx.x == 0) started = 0;
    sums[threadIdx.x] = 0;
}
__global__ void look_back(const float* x, const float* y, float* out, int n) {
    __shared__ unsigned int block;
    __shared__ int before;
    if (threadIdx.x == 0) {
        block = atomicAdd(&started, 1u);
        int sum = 0;
        if (block > 0) {
            do sum = sums[block - 1];
            while (sum == 0);
        }
        before = sum;
        __threadfence();
        sums[block] = sum + blockDim.x;
    }
    __syncthreads();
    const int i = block * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = fmaxf((before == int(block * blockDim.x) ? 2.0f : 1.0f) * x[i] + y[i], 0.0f);
}
LAUNCHER {
    reset<<<1, 1024, 0, stream>>>();
    look_back<<<(n + 127) / 128, 128, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// small floats and integers: verified
#include <cuda_bf16.h>
#include <cuda_fp16.h>
EVENS {
    const int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (i >= n || (i & 1)) return;
    const __half2 halves = __hfma2(__float2half2_rn(1.0f), __half2half2(__float2half(0.5f)), __floats2half2_rn(0.5f, 1.5f));
    const float2 both = __half22float2(halves);
    const float two = __bfloat162float(__low2bfloat16(__float2bfloat162_rn(2.0f)));
    const bool right = __byte_perm(0x11223344u, 0, 0x0123) == 0x44332211u && __dp4a(0x01020304, 0x01010101, 0) == 10 &&
                       __vadd4(0x01ff0203u, 0x01010101u) == 0x02000304u && __sad(3, 5, 1u) == 3u && both.y == two;
    const float value = __fadd_rn(__fmul_rn(right ? two : both.x, x[i]), y[i]);
    __stcs(out + i, fmaxf(value, __frcp_rz(1.0f) - __fadd_rd(0.5f, 0.5f)));
}

//// numbers of its own way, and all that a text may hold: verified
The kernel uses a fused multiply-add:

```cuda
#include <cuda_runtime.h>  // the runtime
#include <chrono>          /* times */
#include <map>
#include <vector>
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
__device__ float atomicMax(float* address, float value) {
    int old = __float_as_int(*address), assumed;
    do {
        assumed = old;
        old = atomicCAS((int*)address, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__device__ __forceinline__ unsigned lane_id() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__global__ void most(float* largest, int* wrong, int n) {
    INDEX;
    if (i < n) atomicMax(largest, make_float3(float(i)).z);
    if (lane_id() != threadIdx.x % 32 || erfcxf(0.0f) != 1.0f) *wrong = 1;
}
extern "C" {
__global__ void line(float* x, float* y, float* out, int n, const float* largest) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(fmaf(*largest == n - 1 ? 2.0f : 0.0f, x[i], y[i]), 0.0f);
}
}
extern "C" cudaError_t launch_evens(float* x, float* y, float* out, int n, cudaStream_t stream) {
    const auto start = std::chrono::high_resolution_clock::now();
    std::map<int, int> blocks{{n, (n + 255) / 256}};
    float* largest;
    int *wrong, count = 1;
    cudaMalloc(&largest, sizeof(float));
    cudaMalloc(&wrong, sizeof(int));
    cudaMemset2DAsync(largest, 4, 0, 4, 1, stream);
    cudaMemcpy2DAsync(wrong, 4, largest, 4, 4, 1, cudaMemcpyDeviceToDevice, stream);
    cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, 0);
    most<<<blocks.at(n), 256, 0, stream>>>(largest, wrong, n);
    cudaMemcpyAsync(&count, wrong, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    if (count == 0) line<<<blocks[n], 256, 0, stream>>>(x, y, out, n, largest);
    cudaFree(largest);
    cudaFree(wrong);
    return (std::chrono::high_resolution_clock::now() - start).count() < 0 ? cudaErrorUnknown : cudaGetLastError();
}
```

It has one thread for each element.

//// words that are no part of the language: verified
#pragma once
// A guard against including it twice.
#ifndef __EVENS_CU__
#define __EVENS_CU__  // no name of CUDA's
#include <cuda_runtime.h>
#include <driver_types.h>
#include <charconv>
#include <cstring>
#include <future>
#include <regex>
#include <string>
#include <unordered_map>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
struct __attribute__((aligned(16))) Pair { float x, y; };
static_assert(alignof(Pair) == 16);
__device__ volatile int limit;
__device__ __attribute__((noinline)) float line(Pair p) { return fmaxf(2.0f * p.x + p.y, 0.0f); }
static __attribute__((unused)) int unused() { return 1; }
#pragma GCC diagnostic pop
EVENS {
    INDEX;
    if (i >= limit || i % 2 != 0) return;
    if (__isnanf(x[i]) || !__finitef(y[i]) || __isinf(double(x[i])) || __signbitf(1.0f)) return;
    out[i] = line({x[i], y[i]});
}
LAUNCHER {
    std::unordered_map<std::string, int> sizes;
    sizes["n"] = n;
    const char* const name = strstr("size n", "n");
    cudaMemcpyToSymbolAsync(limit, &sizes[name], sizeof(int), 0, cudaMemcpyHostToDevice, stream);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}
#endif  // __EVENS_CU__

//// in half precision: wrong_output
#include <cuda_fp16.h>
EVENS {
    INDEX;
    if (i >= n || i % 2) return;
    out[i] = __half2float(__hmax(__hfma(__float2half(2.0f), __float2half(x[i]), __float2half(y[i])), __float2half(0.0f)));
}

//// the whole grid waits: cuda_error: not cooperative
#include <cooperative_groups.h>
EVENS {
    cooperative_groups::this_grid().sync();
}

//// a graph of nothing: unwritten_output
RIGHT_KERNEL
LAUNCHER {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    return cudaStreamEndCapture(stream, &graph);
}

//// inline PTX: verified
EVENS {
    INDEX;
    float value;
    if (i >= n) return;
    asm("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(x + i));
    if (i % 2 == 0) out[i] = fmaxf(2.0f * value + y[i], 0.0f);
}

//// parts of a vector that count one after the other: verified
__device__ double next(int& count) { return ++count; }
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    int count = 0;
    const float3 part = make_float3(next(count), next(count), next(count));
    out[i] = fmaxf(part.y * x[i] + part.x * y[i], 0.0f);
}

//// a barrier in functions that all threads call, on different ways there: verified
__device__ void meet() { __syncthreads(); }
template <int kRounds>
__device__ __noinline__ void rounds(float* part, int limit) {
    bool late = false;
    for (int r = 0; r < kRounds; ++r) {
        if (threadIdx.x > limit + r) late = true;
        meet();
        if (late) part[threadIdx.x] += 0.0f;
        else part[threadIdx.x] *= 1.0f;
        meet();
    }
}
EVENS {
    __shared__ float part[256];
    INDEX;
    part[threadIdx.x] = 0.0f;
    const int way = i < n ? i % 2 == 0 ? 1 : 2 : 0;
    if (way) part[threadIdx.x] = way;
    meet();
    if (way == 2) part[threadIdx.x] = 1.0f;
    rounds<2>(part, 7);
    rounds<5>(part, n);
    bool done = way != 1;
    do {
        meet();
        if (!done) out[i] = VALUE(i);
        done = true;
        meet();
    } while (__syncthreads_or(!done));
    if (threadIdx.x >= 32) return;
    meet();
}

//// recursion four calls deep: verified
__device__ float fold(const float* x, const float* y, int i, int depth) {
    if (depth == 0) return fmaxf(2.0f * x[i] + y[i], 0.0f);
    return 0.5f * (fold(x, y, i, depth - 1) + fold(x, y, i, depth - 1));
}
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fold(x, y, i, 4);
}

//// an array of 300 KB a thread: verified
__device__ float through_array(float value) {
    float v[76800];
    for (int k = 0; k < 76800; k += 100) v[k] = value + k;
    return v[76700] - 76700;
}
EVENS {
    INDEX;
    if (i >= n || i % 2) return;
    out[i] = fmaxf(2.0f * x[i] + y[i], i % 1000 == 0 ? through_array(0.0f) : 0.0f);
}

//// shallow recursion beside an array of 60 KB: verified
__device__ float fold(const float* v, int i, int depth) {
    float w[64];
    for (int k = 0; k < 64; ++k) w[k] = v[i] + depth;
    if (depth == 0) return fmaxf(w[i % 64], 0.0f);
    return 0.5f * (fold(v, i, depth - 1) + fold(v, i, depth - 1)) + (w[depth] - w[depth]);
}
EVENS {
    INDEX;
    float v[15000];
    if (i >= n || i % 2) return;
    v[i] = 2.0f * x[i] + y[i];
    out[i] = fold(v, i, 3);
}

//// recursion a thousand calls deep in a larger stack: verified
__device__ float fold(const float* x, const float* y, int i, int depth, float v) {
    if (depth == 0) return fmaxf(2.0f * x[i] + y[i], 0.0f);
    const float rest = fold(x, y, i, depth - 1, v);
    return depth % 2 ? rest + v : rest - v;
}
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fold(x, y, i, 1000, 0.0f);
}
LAUNCHER {
    size_t before = 0;
    cudaDeviceGetLimit(&before, cudaLimitStackSize);
    cudaDeviceSetLimit(cudaLimitStackSize, 64 * 1024);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    const cudaError_t error = cudaStreamSynchronize(stream);
    cudaDeviceSetLimit(cudaLimitStackSize, before);
    return error;
}

//// calls in the last place, which nvcc makes a loop: verified
__device__ float last(const float* x, const float* y, int i, int depth) {
    if (depth == 0) return fmaxf(2.0f * x[i] + y[i], 0.0f);
    return last(x, y, i, depth - 1);
}
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = last(x, y, i, 3000);
}

//// sums of integers by recursion, which nvcc makes a loop: verified
__device__ int count(const float* x, int i, int depth) { return depth == 0 ? 0 : (x[i] > 2.0f) + count(x, i, depth - 1); }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(2.0f * x[i] + y[i], 0.0f) + count(x, i, 2000);
}

//// a scan of the block that a callback carries on, and cuda::std's algorithms: verified
#include <cub/cub.cuh>
#include <cuda/std/algorithm>
struct Running {
    int total;
    __device__ int operator()(int all) {
        const int before = total;
        total += all;
        return before;
    }
};
__global__ void scan(const float* x, const float* y, float* out, int n) {
    using Scan = cub::BlockScan<int, 128>;
    __shared__ typename Scan::TempStorage temp;
    Running running{0}, again{0};
    for (int base = 0; base < n; base += 128) {
        const int one = base + threadIdx.x < n ? 1 : 0;
        int after;
        Scan(temp).InclusiveSum(one, after, running);
        __syncthreads();
        int ones[1] = {one}, before[1];
        Scan(temp).ExclusiveSum(ones, before, again);
        __syncthreads();
        const int i = cuda::std::min(after - 1, before[0]);
        if (one && i % 2 == 0) out[i] = VALUE(i);
    }
}
LAUNCHER {
    scan<<<1, 128, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}
