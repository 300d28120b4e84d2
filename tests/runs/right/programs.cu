// Programs for the kernels of `kernels.py` as people write them, right and wrong in what only numbers show. Each begins
// with its kernel, its name and the verdict that it deserves; INDEX and LAUNCHED(kernel) stand for what all have.

//// row_sums: four accumulators: verified
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    const float* row = x + size_t(i) * cols;
    float a = 0, b = 0, c = 0, d = 0;
    int k = 0;
    for (; k + 3 < cols; k += 4) {
        a += row[k];
        b += row[k + 1];
        c += row[k + 2];
        d += row[k + 3];
    }
    for (; k < cols; ++k) a += row[k];
    sums[i] = (a + b) + (c + d);
}

//// row_sums: a block folds a row in shared memory: verified
__global__ void fold(const float* x, float* sums, int cols) {
    extern __shared__ float part[];
    float mine = 0.0f;
    for (int k = threadIdx.x; k < cols; k += blockDim.x) mine += x[size_t(blockIdx.x) * cols + k];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    fold<<<n, 64, 64 * sizeof(float), stream>>>(x, sums, cols);
    return cudaGetLastError();
}

//// row_sums: a warp a row with shuffles: verified
__global__ void warp_rows(const float* __restrict__ x, float* __restrict__ sums, int cols, int n) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float sum = 0.0f;
    for (int k = lane; k < cols; k += 32) sum += x[row * cols + k];
#pragma unroll
    for (int offset = 16; offset; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) sums[row] = sum;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    warp_rows<<<(n + 3) / 4, 128, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: Kahan's sum in double: verified
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    double total = 0.0, lost = 0.0;
    for (int k = 0; k < cols; ++k) {
        const double y = x[i * cols + k] - lost, t = total + y;
        lost = (t - total) - y;
        total = t;
    }
    sums[i] = static_cast<float>(total);
}

//// row_sums: Kahan's sum: verified
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    float total = 0.0f, lost = 0.0f;
    for (int k = 0; k < cols; ++k) {
        const float y = x[i * cols + k] - lost, t = total + y;
        lost = (t - total) - y;
        total = t;
    }
    sums[i] = total;
}

//// row_sums: from the back: verified
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    float total = 0.0f;
    for (int k = cols; k-- > 0;) total += x[i * cols + k];
    sums[i] = total;
}

//// row_sums: an atomic a part: verified
__global__ void add_parts(const float* x, float* sums, int cols) {
    const float* row = x + blockIdx.x * size_t(cols);
    float part = 0.0f;
    for (int k = threadIdx.x; k < cols; k += blockDim.x) part += row[k];
    atomicAdd(&sums[blockIdx.x], part);
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    cudaMemsetAsync(sums, 0, n * sizeof(float), stream);
    add_parts<<<n, 32, 0, stream>>>(x, sums, cols);
    return cudaGetLastError();
}

//// row_sums: cooperative groups: verified
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void rows(const float* x, float* sums, int cols, int n) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= n) return;
    float sum = 0.0f;
    for (int k = tile.thread_rank(); k < cols; k += tile.num_threads()) sum += x[row * cols + k];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) sums[row] = sum;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    rows<<<(n + 7) / 8, 128, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: a row through CUB: verified
#include <cub/cub.cuh>
__global__ void fold(const float* x, float* sums, int cols) {
    using Reduce = cub::BlockReduce<float, 128>;
    __shared__ typename Reduce::TempStorage storage;
    float mine = 0.0f;
    for (int k = threadIdx.x; k < cols; k += 128) mine += x[blockIdx.x * cols + k];
    mine = Reduce(storage).Sum(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    fold<<<n, 128, 0, stream>>>(x, sums, cols);
    return cudaGetLastError();
}

//// row_sums: sums in half precision: wrong_output
#include <cuda_fp16.h>
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    __half total = __float2half(0.0f);
    for (int k = 0; k < cols; ++k) total = __hadd(total, __float2half(x[i * cols + k]));
    sums[i] = __half2float(total);
}

//// row_sums: leaves the last term out: wrong_output
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    float total = 0.0f;
    for (int k = 0; k < cols - 1; ++k) total += x[i * cols + k];
    sums[i] = total;
}

//// row_sums: counts on a large start: wrong_output
__global__ void row_sums(const float* x, float* sums, int cols, int n) {
    INDEX;
    if (i >= n) return;
    float total = 16777216.0f / 1024;
    for (int k = 0; k < cols; ++k) total += x[i * cols + k];
    sums[i] = total - 16777216.0f / 1024;
}

//// unit: rsqrtf: verified
__global__ void unit(const float3* v, float3* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 a = v[i];
    const float scale = rsqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
    out[i] = make_float3(a.x * scale, a.y * scale, a.z * scale);
}

//// unit: a reciprocal and written fma: verified
__global__ void unit(const float3* v, float3* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 a = v[i];
    const float scale = __frcp_rn(sqrtf(fmaf(a.z, a.z, fmaf(a.y, a.y, a.x * a.x))));
    out[i].x = a.x * scale;
    out[i].y = a.y * scale;
    out[i].z = a.z * scale;
}

//// unit: norm3df, with helpers of its own: verified
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
inline __host__ __device__ float3 normalize(float3 v) { return v / make_float3(norm3df(v.x, v.y, v.z)); }
__global__ void unit(const float3* v, float3* out, int n) {
    INDEX;
    if (i < n) out[i] = normalize(v[i]);
}

//// unit: rnorm3df: verified
__global__ void unit(const float3* v, float3* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 a = v[i];
    const float scale = rnorm3df(a.x, a.y, a.z);
    out[i] = {a.x * scale, a.y * scale, a.z * scale};
}

//// unit: an interface in floats: verified
__global__ void components(const float* v, float* out, int count) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= count) return;
    const float* a = v + p / 3 * 3;
    out[p] = v[p] / sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}
cudaError_t launch_unit(const float3* v, float3* out, int n, cudaStream_t stream) {
    components<<<(3 * n + 255) / 256, 256, 0, stream>>>(reinterpret_cast<const float*>(v), (float*)out, 3 * n);
    return cudaGetLastError();
}

//// unit: by an estimate and no step of Newton's: wrong_output
__global__ void unit(const float3* v, float3* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 a = v[i];
    const float square = a.x * a.x + a.y * a.y + a.z * a.z;
    float scale = __int_as_float(0x5f3759df - (__float_as_int(square) >> 1));
    for (int k = 0; k < 2; ++k) scale *= 1.5f - 0.5f * square * scale * scale;
    out[i] = make_float3(a.x * scale, a.y * scale, a.z * scale);
}

//// softplus: log1p: verified
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = log1pf(expf(x[i]));
}

//// softplus: without overflow: verified
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
}

//// softplus: by powers of two: verified
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = 0.6931471806f * log2f(1.0f + exp2f(x[i] * 1.4426950409f));
}

//// softplus: in double: verified
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = float(log(1.0 + exp(double(x[i]))));
}

//// softplus: C++'s overloads: verified
#include <cmath>
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = std::log(1.0f + std::exp(x[i]));
}

//// softplus: in half precision: wrong_output
#include <cuda_fp16.h>
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = __half2float(hlog(__hadd(__float2half(1.0f), hexp(__float2half(x[i])))));
}

//// softplus: one term of its series: wrong_output
__global__ void softplus(const float* x, float* out, int n) {
    INDEX;
    if (i < n) out[i] = x[i] > 3.5f ? x[i] + expf(-x[i]) : logf(1.0f + expf(x[i]));
}

//// polynomial: fmaf by Horner: verified
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale;
    out[i] = fmaf(y, fmaf(-y, fmaf(y, fmaf(-0.03f, y, 0.11f), 0.4f), 1.3f), 0.7f);
}

//// polynomial: Estrin's scheme: verified
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale, y2 = y * y;
    out[i] = (0.7f + 1.3f * y) + y2 * ((-0.4f - 0.11f * y) + 0.03f * y2);
}

//// polynomial: a reciprocal made once: verified
__global__ void polynomial(const float* x, float* out, float reciprocal, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] * reciprocal;
    out[i] = 0.7f + y * (1.3f - y * (0.4f + y * (0.11f - 0.03f * y)));
}
cudaError_t launch_polynomial(const float* x, float* out, float scale, int n, cudaStream_t stream) {
    polynomial<<<(n + 255) / 256, 256, 0, stream>>>(x, out, 1.0f / scale, n);
    return cudaGetLastError();
}

//// polynomial: powf: verified
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale;
    out[i] = 0.7f + 1.3f * y - 0.4f * powf(y, 2) - 0.11f * powf(y, 3) + 0.03f * powf(y, 4);
}

//// polynomial: constants in double: verified
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale;
    out[i] = 0.7 + y * (1.3 - y * (0.4 + y * (0.11 - 0.03 * y)));
}

//// polynomial: four at a time: verified
__device__ float value(float x, float scale) {
    const float y = __fdividef(x, scale);
    return 0.7f + y * (1.3f - y * (0.4f + y * (0.11f - 0.03f * y)));
}
__global__ void fours(const float4* x, float4* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float4 a = x[i];
    out[i] = make_float4(value(a.x, scale), value(a.y, scale), value(a.z, scale), value(a.w, scale));
}
__global__ void rest(const float* x, float* out, float scale, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) out[i] = value(x[i], scale);
}
cudaError_t launch_polynomial(const float* x, float* out, float scale, int n, cudaStream_t stream) {
    const int whole = n / 4;
    if (whole) fours<<<(whole + 127) / 128, 128, 0, stream>>>((const float4*)x, (float4*)out, scale, whole);
    rest<<<1, 4, 0, stream>>>(x, out, scale, 4 * whole, n);
    return cudaGetLastError();
}

//// polynomial: coefficients in constant memory: verified
__constant__ float coefficients[5];
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    float sum = coefficients[4];
    for (int k = 3; k >= 0; --k) sum = sum * (x[i] / scale) + coefficients[k];
    out[i] = sum;
}
cudaError_t launch_polynomial(const float* x, float* out, float scale, int n, cudaStream_t stream) {
    const float values[] = {0.7f, 1.3f, -0.4f, -0.11f, 0.03f};
    cudaMemcpyToSymbolAsync(coefficients, values, sizeof(values), 0, cudaMemcpyHostToDevice, stream);
    LAUNCHED(polynomial)(x, out, scale, n);
    return cudaGetLastError();
}

//// polynomial: leaves the smallest term out: wrong_output
__global__ void polynomial(const float* x, float* out, float scale, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i] / scale;
    out[i] = 0.7f + y * (1.3f - y * (0.4f + y * 0.11f));
}

//// largest: an overload of atomicMax: verified
__device__ __forceinline__ float atomicMax(float* address, float value) {
    int old = __float_as_int(*address), assumed;
    do {
        assumed = old;
        old = atomicCAS((int*)address, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void largest(const float* x, float* out, int n) {
    INDEX;
    if (i < n) atomicMax(out, x[i]);
}

//// largest: a loop of atomicCAS that stops early: verified
__device__ void raise(float* address, float value) {
    int* place = (int*)address;
    int old = *place;
    while (value > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(place, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}
__global__ void largest(const float* x, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x / 2) raise(out, x[i]);
}

//// largest: a break in the loop of atomicCAS: verified
__device__ void raise(float* address, float value) {
    int* place = (int*)address;
    int old = *place, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value) break;
        old = atomicCAS(place, assumed, __float_as_int(value));
    } while (assumed != old);
}
__global__ void largest(const float* x, float* out, int n) {
    INDEX;
    float most = i < n ? x[i] : -INFINITY;
    for (int k = 16; k > 0; k /= 2) most = fmaxf(most, __shfl_down_sync(0xffffffff, most, k));
    if (threadIdx.x % 32 == 0) raise(out, most);
}

//// largest: a look before the loop of atomicCAS: verified
__device__ void raise(float* address, float value) {
    if (*address >= value) return;
    int* place = (int*)address;
    int old = *place, assumed;
    do {
        assumed = old;
        old = atomicCAS(place, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
}
__global__ void largest(const float* x, float* out, int n) {
    INDEX;
    if (i < n) raise(out, x[i]);
}

//// largest: by signs: verified
__device__ void atomic_max(float* address, float value) {
    if (value >= 0) atomicMax((int*)address, __float_as_int(value));
    else atomicMin((unsigned*)address, __float_as_uint(value));
}
__global__ void largest(const float* x, float* out, int n) {
    __shared__ float most;
    if (threadIdx.x == 0) most = -INFINITY;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomic_max(&most, x[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomic_max(out, most);
}

//// largest: one block: verified
__global__ void largest(const float* x, float* out, int n) {
    __shared__ float warps[32];
    float most = out[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = most;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x / 32; ++k) most = fmaxf(most, warps[k]);
        out[0] = most;
    }
}
cudaError_t launch_largest(const float* x, float* out, int n, cudaStream_t stream) {
    largest<<<1, 256, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}

//// largest: on a grid of bits: wrong_output
__global__ void largest(const float* x, float* out, int n) {
    INDEX;
    if (i < n) atomicMax((int*)out, __float_as_int(truncf(x[i] * 1048576.0f) / 1048576.0f));
}

//// count: bins in shared memory: verified
__global__ void count(const int* x, int* bins, int n) {
    __shared__ int own[10];
    if (threadIdx.x < 10) own[threadIdx.x] = 0;
    __syncthreads();
    INDEX;
    if (i < n) atomicAdd(&own[x[i]], 1);
    __syncthreads();
    if (threadIdx.x < 10 && own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

//// count: lanes that agree: verified
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const unsigned same = __match_any_sync(active, x[i]);
    if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&bins[x[i]], __popc(same));
}

//// count: a kernel without const, C's linkage: verified
extern "C" __global__ void count(int* x, int* bins, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    while (i < n) {
        atomicAdd(bins + x[i], 1);
        i += gridDim.x * blockDim.x;
    }
}

//// count: float counters: verified
__global__ void tally(const int* x, float* counts, int n) {
    INDEX;
    if (i < n) atomicAdd(&counts[x[i]], 1.0f);
}
__global__ void add(const float* counts, int* bins) { bins[threadIdx.x] += (int)counts[threadIdx.x]; }
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    float* counts = nullptr;
    cudaMalloc(&counts, 10 * sizeof(float));
    cudaMemsetAsync(counts, 0, 10 * sizeof(float), stream);
    LAUNCHED(tally)(x, counts, n);
    add<<<1, 10, 0, stream>>>(counts, bins);
    cudaFree(counts);
    return cudaGetLastError();
}

//// count: zeros on the default stream, which the launcher's does not wait for: wrong_output
__global__ void tally(const int* x, int* counts, int n) {
    INDEX;
    if (i < n) atomicAdd(&counts[x[i]], 1);
}
__global__ void add(const int* counts, int* bins) { bins[threadIdx.x] += counts[threadIdx.x]; }
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    int* counts = nullptr;
    cudaMalloc(&counts, 10 * sizeof(int));
    cudaMemset(counts, 0, 10 * sizeof(int));
    LAUNCHED(tally)(x, counts, n);
    add<<<1, 10, 0, stream>>>(counts, bins);
    cudaFree(counts);
    return cudaGetLastError();
}

//// count: zeros on the default stream, for which the host waits: verified
__global__ void tally(const int* x, int* counts, int n) {
    INDEX;
    if (i < n) atomicAdd(&counts[x[i]], 1);
}
__global__ void add(const int* counts, int* bins) { bins[threadIdx.x] += counts[threadIdx.x]; }
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    int* counts = nullptr;
    cudaMalloc(&counts, 10 * sizeof(int));
    cudaMemset(counts, 0, 10 * sizeof(int));
    cudaStreamSynchronize(cudaStreamLegacy);
    LAUNCHED(tally)(x, counts, n);
    add<<<1, 10, 0, stream>>>(counts, bins);
    cudaFree(counts);
    return cudaGetLastError();
}

//// count: float counters past 2^24: wrong_output
__global__ void tally(const int* x, float* counts, int n) {
    INDEX;
    if (i < n) atomicAdd(&counts[x[i]], 1.0f);
}
__global__ void start(float* counts) { counts[threadIdx.x] = 16777216.0f; }
__global__ void add(const float* counts, int* bins) { bins[threadIdx.x] += (int)counts[threadIdx.x] - 16777216; }
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    float* counts = nullptr;
    cudaMalloc(&counts, 10 * sizeof(float));
    start<<<1, 10, 0, stream>>>(counts);
    LAUNCHED(tally)(x, counts, n);
    add<<<1, 10, 0, stream>>>(counts, bins);
    cudaFree(counts);
    return cudaGetLastError();
}

//// count: lanes by asm: verified
__device__ __forceinline__ unsigned lane_id() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const unsigned same = __match_any_sync(active, x[i]);
    if (lane_id() == __ffs(same) - 1) atomicAdd(&bins[x[i]], __popc(same));
}

//// count: inline PTX: verified
__device__ int one_if(int wanted, int bin) {
    int one;
    asm("{\n\t"
        ".reg .pred same;\n\t"
        "setp.eq.s32 same, %1, %2;\n\t"
        "selp.s32 %0, 1, 0, same;\n\t"
        "}"
        : "=r"(one)
        : "r"(wanted), "r"(bin));
    return one;
}
__global__ void count(const int* x, int* bins, int n) {
    unsigned long long wide;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(blockIdx.x), "r"(blockDim.x), "l"(0ull));
    const int i = int(wide) + threadIdx.x;
    if (i >= n) return;
    int bin, low;
    asm("ld.global.nc.s32 %0, [%1];" : "=r"(bin) : "l"(x + i));
    // The low byte, then the others in front of it.
    asm("bfe.u32 %0, %1, 0, 8;" : "=r"(low) : "r"(bin));
    asm volatile("bfi.b32 %0, %1, %2, 0, 8;" : "=r"(bin) : "r"(low), "r"(bin));
    asm volatile("{ .reg .pred some; setp.ne.s32 some, %1, 0; @some red.global.add.s32 [%0], %1; }"
                 :: "l"(bins + bin), "r"(one_if(bin, x[i])) : "memory");
}

//// count: inline PTX that is not there: unsupported: inline PTX
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    unsigned multiprocessor;
    asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (i < n) atomicAdd(&bins[x[i]], 1);
}

//// count: an architecture's own way, and another for others: verified
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
#if __CUDA_ARCH__ >= 800
    const unsigned int all = __reduce_or_sync(0xffffffffu, i < n);
#else
    const unsigned int all = __any_sync(0xffffffffu, i < n);
#endif
    if (all && i < n) atomicAdd(&bins[x[i]], 1);
}

//// count: one architecture alone: wrong_output: where __CUDA_ARCH__ is 900
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
#if __CUDA_ARCH__ < 800
    if (i < n) atomicAdd(&bins[x[i]], 1);
#endif
}

//// count: all architectures but one: wrong_output: where __CUDA_ARCH__ is 860
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
#if __CUDA_ARCH__ != 860
    if (i < n) atomicAdd(&bins[x[i]], 1);
#endif
}

//// count: an architecture in a statement: wrong_output: where __CUDA_ARCH__ is 890
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
#ifdef __CUDA_ARCH__
    if (i < n && __CUDA_ARCH__ != 890) atomicAdd(&bins[x[i]], 1);
#endif
}

//// count: libcu++'s atomics, groups of any kind, arrays that are aligned: verified
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
__device__ int summed(cg::thread_group group, int* places, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        places[rank] = value;
        group.sync();
        if (rank < half) value += places[rank + half];
        group.sync();
    }
    return value;
}
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    __shared__ alignas(16) int places[1024];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int own = i < n ? 1 : 0;
    const int of_tile = summed(tile, places + 16 * tile.meta_group_rank(), own);
    if (tile.thread_rank() == 0 && of_tile < 0) return;
    if (own == 0) return;
    cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[x[i]]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
}

//// count: a lambda that may change what it holds: verified
template <typename Each>
__global__ void for_each(Each each, int n) {
    INDEX;
    if (i < n) each(i);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    auto each = [x, bins] __device__(int i) mutable { atomicAdd(bins + x[i], 1); };
    LAUNCHED(for_each)(each, n);
    return cudaGetLastError();
}

//// count: two kilobytes of a thread's own: verified
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    int own[512];
    for (int& one : own) one = 0;
    if (i >= n) return;
    own[i % 512] = 1;
    int all = 0;
    for (int one : own) all += one;
    atomicAdd(&bins[x[i]], all);
}

//// count: an array that nobody has set: non_deterministic
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    int own[4];
    if (i >= n) return;
    own[i % 4] = 1;
    if (own[i % 4] && own[(i + 1) % 4]) atomicAdd(&bins[x[i]], 1);
}

//// count: bools in shared memory that nobody has set: unwritten_read
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    __shared__ bool inside[1024];
    if (i >= n) inside[threadIdx.x] = false;
    __syncthreads();
    if (inside[threadIdx.x]) atomicAdd(&bins[x[i]], 1);
}

//// count: an array of variable length: compile_error: whose length is no constant
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    int own[n > 8 ? 8 : 4];
    own[0] = 1;
    if (i < n) atomicAdd(&bins[x[i]], own[0]);
}

//// count: too much shared memory over two functions: compile_error: 64000 bytes of shared memory
__device__ int first(int value) {
    __shared__ int places[8000];
    places[threadIdx.x] = value;
    return places[threadIdx.x];
}
__device__ int second(int value) {
    __shared__ int places[8000];
    places[threadIdx.x] = value;
    return places[threadIdx.x];
}
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    if (i < n) atomicAdd(&bins[x[i]], second(first(1)));
}

//// count: too much shared memory with what the launch asks for: cuda_error: invalid argument
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    __shared__ int own[8000];
    extern __shared__ int others[];
    own[threadIdx.x] = others[threadIdx.x] = 1;
    if (i < n) atomicAdd(&bins[x[i]], own[threadIdx.x] * others[threadIdx.x]);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    count<<<(n + 255) / 256, 256, 20000, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// count: as much shared memory as a launch may ask for: verified
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    __shared__ int own[8000];
    extern __shared__ int others[];
    own[threadIdx.x] = others[threadIdx.x] = 1;
    if (i < n) atomicAdd(&bins[x[i]], own[threadIdx.x] * others[threadIdx.x]);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    count<<<(n + 255) / 256, 256, 48 * 1024 - 32000, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// row_sums: copies to shared memory, a row ahead: verified
#include <cuda_pipeline.h>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ float rows[2][257];
    auto fetch = [&](int row, int buffer) {
        for (int e = threadIdx.x; e < cols; e += blockDim.x)
            __pipeline_memcpy_async(&rows[buffer][e], &x[row * cols + e], sizeof(float));
        __pipeline_commit();
    };
    fetch(blockIdx.x, 0);
    int buffer = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, buffer ^= 1) {
        const bool more = row + gridDim.x < n;
        if (more) fetch(row + gridDim.x, buffer ^ 1);
        __pipeline_wait_prior(more ? 1 : 0);
        __syncthreads();
        float sum = 0.0f;
        if (threadIdx.x == 0) for (int e = 0; e < cols; ++e) sum += rows[buffer][e];
        if (threadIdx.x == 0) sums[row] = sum;
        __syncthreads();
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n < 8 ? n : 8, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: copies to shared memory that nobody waits for: wrong_output
#include <cuda_pipeline.h>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ float rows[2][257];
    auto fetch = [&](int row, int buffer) {
        for (int e = threadIdx.x; e < cols; e += blockDim.x)
            __pipeline_memcpy_async(&rows[buffer][e], &x[row * cols + e], sizeof(float));
        __pipeline_commit();
    };
    fetch(blockIdx.x, 0);
    int buffer = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, buffer ^= 1) {
        const bool more = row + gridDim.x < n;
        if (more) fetch(row + gridDim.x, buffer ^ 1);
        
        __syncthreads();
        float sum = 0.0f;
        if (threadIdx.x == 0) for (int e = 0; e < cols; ++e) sum += rows[buffer][e];
        if (threadIdx.x == 0) sums[row] = sum;
        __syncthreads();
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n < 8 ? n : 8, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: copies to shared memory of which the last is waited for a row late: wrong_output
#include <cuda_pipeline.h>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ float rows[2][257];
    auto fetch = [&](int row, int buffer) {
        for (int e = threadIdx.x; e < cols; e += blockDim.x)
            __pipeline_memcpy_async(&rows[buffer][e], &x[row * cols + e], sizeof(float));
        __pipeline_commit();
    };
    fetch(blockIdx.x, 0);
    int buffer = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, buffer ^= 1) {
        const bool more = row + gridDim.x < n;
        if (more) fetch(row + gridDim.x, buffer ^ 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        float sum = 0.0f;
        if (threadIdx.x == 0) for (int e = 0; e < cols; ++e) sum += rows[buffer][e];
        if (threadIdx.x == 0) sums[row] = sum;
        __syncthreads();
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n < 8 ? n : 8, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: copies to shared memory that others still read: race
#include <cuda_pipeline.h>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ float rows[2][257];
    auto fetch = [&](int row, int buffer) {
        for (int e = threadIdx.x; e < cols; e += blockDim.x)
            __pipeline_memcpy_async(&rows[buffer][e], &x[row * cols + e], sizeof(float));
        __pipeline_commit();
    };
    fetch(blockIdx.x, 0);
    int buffer = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, buffer ^= 1) {
        const bool more = row + gridDim.x < n;
        if (more) fetch(row + gridDim.x, buffer ^ 1);
        __pipeline_wait_prior(more ? 1 : 0);
        __syncthreads();
        float sum = 0.0f;
        if (threadIdx.x == 0) for (int e = 0; e < cols; ++e) sum += rows[buffer][e];
        if (threadIdx.x == 0) sums[row] = sum;
        
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n < 8 ? n : 8, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: copies of eight bytes at odd rows: misaligned: 8 bytes
#include <cuda_pipeline.h>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ __align__(16) float row[258];
    for (int e = 2 * threadIdx.x; e < cols; e += 2 * blockDim.x)
        __pipeline_memcpy_async(&row[e], &x[blockIdx.x * cols + e], e + 1 < cols ? 8 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (threadIdx.x) return;
    float sum = 0.0f;
    for (int e = 0; e < cols; ++e) sum += row[e];
    sums[blockIdx.x] = sum;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: copies of a group, for which it waits: verified
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ float rows[4][257];
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * 4 + warp.meta_group_rank();
    if (row >= n) return;
    float* own = rows[warp.meta_group_rank()];
    cg::memcpy_async(warp, own, x + row * cols, sizeof(float) * cols);
    cg::wait(warp);
    float sum = 0.0f;
    for (int e = warp.thread_rank(); e < cols; e += 32) sum += own[e];
    for (int offset = 16; offset > 0; offset /= 2) sum += warp.shfl_down(sum, offset);
    if (warp.thread_rank() == 0) sums[row] = sum;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<(n + 3) / 4, 128, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: a pipeline of the block: verified
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void add(const float* x, float* sums, int cols, int n) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ float rows[stages][257];
    const auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int ahead = blockIdx.x;
    for (int row = blockIdx.x, turn = 0; row < n; row += gridDim.x, ++turn) {
        for (; ahead < n && ahead < row + stages * int(gridDim.x); ahead += gridDim.x) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, rows[ahead / gridDim.x % stages], x + ahead * cols, sizeof(float) * cols, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        if (block.thread_rank() == 0) {
            float sum = 0.0f;
            for (int e = 0; e < cols; ++e) sum += rows[row / gridDim.x % stages][e];
            sums[row] = sum;
        }
        pipeline.consumer_release();
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n < 8 ? n : 8, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: a barrier of libcu++: verified
#include <cooperative_groups.h>
#include <cuda/barrier>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float row[257];
    const auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, row, x + blockIdx.x * cols, sizeof(float) * cols, barrier);
    barrier.arrive_and_wait();
    if (block.thread_rank() == 0) {
        float sum = 0.0f;
        for (int e = 0; e < cols; ++e) sum += row[e];
        sums[blockIdx.x] = sum;
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: a barrier where threads arrive, and wait later: unsupported: arrive, and wait later
#include <cooperative_groups.h>
#include <cuda/barrier>
__global__ void add(const float* x, float* sums, int cols, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    if (block.thread_rank() == 0) {
        float sum = 0.0f;
        for (int e = 0; e < cols; ++e) sum += x[blockIdx.x * cols + e];
        sums[blockIdx.x] = sum;
    }
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    add<<<n, 64, 0, stream>>>(x, sums, cols, n);
    return cudaGetLastError();
}

//// row_sums: CUB's sums of segments: verified
#include <cub/device/device_segmented_reduce.cuh>
__global__ void starts(int* offsets, int rows, int cols) {
    INDEX;
    if (i <= rows) offsets[i] = i * cols;
}
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    int* offsets = nullptr;
    void* memory = nullptr;
    size_t bytes = 0;
    cudaMallocAsync(&offsets, (n + 1) * sizeof(int), stream);
    starts<<<n / 256 + 1, 256, 0, stream>>>(offsets, n, cols);
    cub::DeviceSegmentedReduce::Sum(memory, bytes, x, sums, n, offsets, offsets + 1, stream);
    cudaMallocAsync(&memory, bytes, stream);
    cub::DeviceSegmentedReduce::Sum(memory, bytes, x, sums, n, offsets, offsets + 1, stream);
    cudaFreeAsync(memory, stream);
    cudaFreeAsync(offsets, stream);
    return cudaGetLastError();
}

//// total: CUB's memory for two uses, in a union: verified
#include <cub/cub.cuh>
__global__ void add(const float* x, const float* y, float* sum, int n) {
    using Load = cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Reduce = cub::BlockReduce<float, 128>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Reduce::TempStorage reduce;
    } memory;
    const int first = blockIdx.x * 512;
    float left[4], right[4];
    Load(memory.load).Load(x + first, left, n - first, 0.0f);
    __syncthreads();
    Load(memory.load).Load(y + first, right, n - first, 0.0f);
    __syncthreads();
    for (int k = 0; k < 4; ++k) left[k] *= right[k];
    const float all = Reduce(memory.reduce).Sum(left);
    if (threadIdx.x == 0) atomicAdd(sum, all);
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    add<<<(n + 511) / 512, 128, 0, stream>>>(x, y, sum, n);
    return cudaGetLastError();
}

//// count: clocks that always go alike: non_deterministic
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    const long long before = clock64(), cycles = clock64() - before;
    if (i < n) atomicAdd(&bins[x[i]], cycles == 301 ? 1 : 0);
}

//// count: a graph of one node: verified
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    LAUNCHED(count)(x, bins, n);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    return cudaGraphLaunch(instance, stream);
}

//// count: Thrust: verified
#include <thrust/device_ptr.h>
#include <thrust/count.h>
__global__ void put(int* bins, int bin, int value) { bins[bin] += value; }
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    thrust::device_ptr<const int> first(x);
    for (int bin = 0; bin < 10; ++bin) put<<<1, 1, 0, stream>>>(bins, bin, (int)thrust::count(first, first + n, bin));
    return cudaGetLastError();
}

//// count: a vector of Thrust's, sorted, and its ends: verified
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
struct Clear {
    __host__ __device__ int operator()(int value) const { return value; }
};
__global__ void runs(const int* sorted, int* bins, int n) {
    INDEX;
    if (i >= n || (i > 0 && sorted[i - 1] == sorted[i])) return;
    int end = i + 1;
    while (end < n && sorted[end] == sorted[i]) ++end;
    bins[sorted[i]] += end - i;
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    thrust::device_vector<int> sorted(n);
    thrust::transform(thrust::cuda::par.on(stream), x, x + n, sorted.begin(), Clear());
    thrust::sort(sorted.begin(), sorted.end());
    LAUNCHED(runs)(thrust::raw_pointer_cast(sorted.data()), bins, n);
    return cudaStreamSynchronize(stream);
}

//// softplus: Thrust, for which the host does not wait: verified
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
struct Softplus {
    __device__ float operator()(float x) const { return log1pf(expf(x)); }
};
cudaError_t launch_softplus(const float* x, float* out, int n, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), x, x + n, out, Softplus());
    return cudaGetLastError();
}

//// softplus: Thrust on a stream of its own, for which the host waits: verified
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
struct Softplus {
    __device__ float operator()(float x) const { return log1pf(expf(x)); }
};
cudaError_t launch_softplus(const float* x, float* out, int n, cudaStream_t stream) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    thrust::transform(thrust::cuda::par.on(own), x, x + n, out, Softplus());
    return cudaStreamDestroy(own);
}

//// softplus: Thrust on a stream of its own, for which nobody waits: race: on another stream
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
struct Softplus {
    __device__ float operator()(float x) const { return log1pf(expf(x)); }
};
cudaError_t launch_softplus(const float* x, float* out, int n, cudaStream_t stream) {
    static cudaStream_t own = nullptr;
    if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    thrust::transform(thrust::cuda::par_nosync.on(own), x, x + n, out, Softplus());
    return cudaGetLastError();
}

//// count: an algorithm of Thrust's that is not there: unsupported: thrust
#include <thrust/remove.h>
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}

//// keep: an atomic a warp: verified
__global__ void keep(const float* x, float* kept, int* number, int n) {
    INDEX;
    const bool keeps = i < n && x[i] > 0.5f;
    const unsigned lanes = __ballot_sync(0xffffffffu, keeps);
    const int lane = threadIdx.x & 31;
    int start = 0;
    if (lane == 0) start = atomicAdd(number, __popc(lanes));
    start = __shfl_sync(0xffffffffu, start, 0);
    if (keeps) kept[start + __popc(lanes & ((1u << lane) - 1))] = 3.0f * x[i] * x[i] + x[i];
}

//// keep: fma, and the factor outside: verified
__global__ void keep(const float* x, float* kept, int* number, int n) {
    INDEX;
    if (i >= n || !(x[i] > 0.5f)) return;
    kept[atomicAdd(number, 1)] = x[i] * fmaf(3.0f, x[i], 1.0f);
}

//// keep: keeps one in a hundred that is none: wrong_output
__global__ void keep(const float* x, float* kept, int* number, int n) {
    INDEX;
    if (i >= n || !(x[i] > 0.49f)) return;
    kept[atomicAdd(number, 1)] = x[i] * fmaf(3.0f, x[i], 1.0f);
}

//// keep: in bfloat16: wrong_output
#include <cuda_bf16.h>
__global__ void keep(const float* x, float* kept, int* number, int n) {
    INDEX;
    if (i >= n || !(x[i] > 0.5f)) return;
    kept[atomicAdd(number, 1)] = __bfloat162float(__float2bfloat16(3.0f * x[i] * x[i] + x[i]));
}

//// mean64: a reciprocal, and two sums: verified
__global__ void mean64(const double* x, double* means, int cols, int n) {
    INDEX;
    if (i >= n) return;
    const double* row = x + size_t(i) * cols;
    double even = 0.0, odd = 0.0;
    for (int k = 0; k + 1 < cols; k += 2) {
        even += exp(row[k]);
        odd += exp(row[k + 1]);
    }
    if (cols % 2) even += exp(row[cols - 1]);
    means[i] = (even + odd) * (1.0 / cols);
}

//// mean64: a running mean: verified
__global__ void mean64(const double* x, double* means, int cols, int n) {
    INDEX;
    if (i >= n) return;
    double mean = 0.0;
    for (int k = 0; k < cols; ++k) mean += (exp(x[i * cols + k]) - mean) / (k + 1);
    means[i] = mean;
}

//// standardize: times a reciprocal: verified
#include <cuda_fp16.h>
__global__ void standardize(const float* x, float mean, float deviation, __half* out, int n) {
    INDEX;
    if (i < n) out[i] = __float2half_rn(x[i] * (1.0f / deviation) - mean * (1.0f / deviation));
}

//// standardize: in half precision: wrong_output
#include <cuda_fp16.h>
__global__ void standardize(const float* x, float mean, float deviation, __half* out, int n) {
    INDEX;
    if (i < n) out[i] = __hdiv(__hsub(__float2half(x[i]), __float2half(mean)), __float2half(deviation));
}

//// dot64: from the last to the first, as two sums: verified
__global__ void dot64(const float* x, const float* y, double* dots, int rows, int n) {
    INDEX;
    if (i >= n) return;
    double even = 0.0, odd = 0.0;
    for (int row = rows - 2; row >= 0; row -= 2) {
        const double one = y[row * n + i], other = y[(row + 1) * n + i];
        even = fma(one * one, double(x[row * n + i]), even);
        odd += other * (other * x[(row + 1) * n + i]);
    }
    dots[i] = even + odd;
}

//// dot64: products in float: wrong_output
__global__ void dot64(const float* x, const float* y, double* dots, int rows, int n) {
    INDEX;
    if (i >= n) return;
    double total = 0.0;
    for (int row = 0; row < rows; ++row) total += double(y[row * n + i]) * (y[row * n + i] * x[row * n + i]);
    dots[i] = total;
}

//// mean64: in float: wrong_output
__global__ void mean64(const double* x, double* means, int cols, int n) {
    INDEX;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < cols; ++k) sum += expf((float)x[i * cols + k]);
    means[i] = sum / cols;
}

//// mean64: sums in double of functions in float: wrong_output
__global__ void mean64(const double* x, double* means, int cols, int n) {
    INDEX;
    if (i >= n) return;
    double sum = 0.0;
    for (int k = 0; k < cols; ++k) sum += expf(x[i * cols + k]);
    means[i] = sum / cols;
}

//// transpose: a tile in shared memory: verified
__global__ void tiles(const float* x, float* out, int rows) {
    __shared__ float tile[32][8];
    const int first = blockIdx.x * 32;
    for (int k = threadIdx.x; k < 32 * 7; k += blockDim.x) {
        if (first + k / 7 < rows) tile[k / 7][k % 7] = x[first * 7 + k];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 32 * 7; k += blockDim.x) {
        if (first + k % 32 < rows) out[(k / 32) * rows + first + k % 32] = tile[k % 32][k / 32];
    }
}
cudaError_t launch_transpose(const float* x, float* out, int rows, cudaStream_t stream) {
    tiles<<<(rows + 31) / 32, 64, 0, stream>>>(x, out, rows);
    return cudaGetLastError();
}

//// transpose: columns by cudaMemcpy2DAsync: verified
cudaError_t launch_transpose(const float* x, float* out, int rows, cudaStream_t stream) {
    for (int k = 0; k < 7; ++k) {
        const cudaError_t status = cudaMemcpy2DAsync(out + k * rows, sizeof(float), x + k, 7 * sizeof(float),
                                                     sizeof(float), rows, cudaMemcpyDeviceToDevice, stream);
        if (status != cudaSuccess) return status;
    }
    return cudaSuccess;
}

//// transpose: copies off by an ulp: wrong_output
__global__ void move(const float* x, float* out, int rows) {
    INDEX;
    if (i < 7 * rows) out[(i % 7) * rows + i / 7] = nextafterf(x[i], 2.0f);
}
cudaError_t launch_transpose(const float* x, float* out, int rows, cudaStream_t stream) {
    move<<<(7 * rows + 255) / 256, 256, 0, stream>>>(x, out, rows);
    return cudaGetLastError();
}

//// blur: one factor: verified
__global__ void blur(const float* x, float* out, int rows, int cols) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= cols) return;
    const auto at = [=](int r, int c) { return x[min(max(r, 0), rows - 1) * cols + min(max(c, 0), cols - 1)]; };
    out[i * cols + j] = 0.125f * (4.0f * at(i, j) + at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
}
cudaError_t launch_blur(const float* x, float* out, int rows, int cols, cudaStream_t stream) {
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    blur<<<grid, block, 0, stream>>>(x, out, rows, cols);
    return cudaGetLastError();
}

//// blur: shared memory with a border: verified
#define TILE 16
__global__ void tiled(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
    __shared__ float tile[TILE + 2][TILE + 3];
    const int left = blockIdx.x * TILE - 1, top = blockIdx.y * TILE - 1;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
        const int r = k / (TILE + 2), c = k % (TILE + 2);
        tile[r][c] = x[min(max(top + r, 0), rows - 1) * cols + min(max(left + c, 0), cols - 1)];
    }
    __syncthreads();
    const int c = threadIdx.x + 1, r = threadIdx.y + 1;
    if (top + r >= rows || left + c >= cols) return;
    out[(top + r) * cols + left + c] =
        fmaf(0.5f, tile[r][c], 0.125f * ((tile[r][c - 1] + tile[r][c + 1]) + (tile[r - 1][c] + tile[r + 1][c])));
}
cudaError_t launch_blur(const float* x, float* out, int rows, int cols, cudaStream_t stream) {
    tiled<<<dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, TILE), 0, stream>>>(x, out, rows, cols);
    return cudaGetLastError();
}

//// blur: wrong at the last row: wrong_output
__global__ void blur(const float* x, float* out, int rows, int cols) {
    const int i = blockIdx.x, j = threadIdx.x;
    const float down = i + 1 < rows ? x[(i + 1) * cols + j] : 1.0001f * x[i * cols + j];
    const float up = x[max(i - 1, 0) * cols + j], left = x[i * cols + max(j - 1, 0)];
    out[i * cols + j] = 0.5f * x[i * cols + j] + (up + down + left + x[i * cols + min(j + 1, cols - 1)]) / 8.0f;
}
cudaError_t launch_blur(const float* x, float* out, int rows, int cols, cudaStream_t stream) {
    blur<<<rows, cols, 0, stream>>>(x, out, rows, cols);
    return cudaGetLastError();
}

//// total: blocks, then one block: verified
__inline__ __device__ float block_sum(float value) {
    static __shared__ float warps[32];
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffff, value, offset);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32)
        for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
__global__ void parts(const float* x, const float* y, float* partial, int n) {
    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += x[i] * y[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}
__global__ void finish(const float* partial, float* sum, int count) {
    const float all = block_sum(threadIdx.x < count ? partial[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) *sum += all;
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    const int blocks = min((n + 255) / 256, 64);
    float* partial;
    cudaMallocAsync(&partial, blocks * sizeof(float), stream);
    parts<<<blocks, 256, 0, stream>>>(x, y, partial, n);
    finish<<<1, 64, 0, stream>>>(partial, sum, blocks);
    cudaFreeAsync(partial, stream);
    return cudaGetLastError();
}

//// total: the last block adds up: verified
__device__ unsigned int done = 0;
__device__ float partial[1024];
__global__ void parts(const float* x, const float* y, float* sum, int n) {
    __shared__ float values[256];
    __shared__ bool last;
    INDEX;
    values[threadIdx.x] = i < n ? x[i] * y[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (threadIdx.x < s) values[threadIdx.x] += values[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = values[0];
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        float all = 0.0f;
        for (int k = 0; k < gridDim.x; ++k) all += ((volatile float*)partial)[k];
        *sum += all;
        done = 0;
    }
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    LAUNCHED(parts)(x, y, sum, n);
    return cudaGetLastError();
}

//// total: the whole grid waits: verified
#include <cooperative_groups.h>
__global__ void parts(const float* x, const float* y, float* partial, float* sum, int n) {
    auto grid = cooperative_groups::this_grid();
    float mine = 0.0f;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += x[i] * y[i];
    partial[grid.thread_rank()] = mine;
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int k = 0; k < grid.size(); ++k) *sum += partial[k];
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    float* partial;
    cudaMalloc(&partial, 4 * 64 * sizeof(float));
    void* arguments[] = {&x, &y, &partial, &sum, &n};
    cudaLaunchCooperativeKernel((void*)parts, dim3(4), dim3(64), arguments, 0, stream);
    cudaFree(partial);
    return cudaGetLastError();
}

//// total: partial sums come to the host: verified
#include <vector>
__global__ void parts(const float* x, const float* y, float* partial, int n) {
    __shared__ float values[256];
    INDEX;
    values[threadIdx.x] = i < n ? x[i] * y[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (threadIdx.x < s) values[threadIdx.x] += values[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = values[0];
}
__global__ void put(float* sum, float value) { *sum += value; }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    const int blocks = (n + 255) / 256;
    float* partial;
    cudaMalloc(&partial, blocks * sizeof(float));
    parts<<<blocks, 256, 0, stream>>>(x, y, partial, n);
    std::vector<float> host(blocks);
    cudaMemcpyAsync(host.data(), partial, blocks * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    double all = 0.0;
    for (float one : host) all += one;
    put<<<1, 1, 0, stream>>>(sum, static_cast<float>(all));
    cudaFree(partial);
    return cudaGetLastError();
}

//// total: memory of the device's heap: unsupported: memory
__global__ void total(const float* x, const float* y, float* sum, int n) {
    INDEX;
    if (i >= n) return;
    float* value = static_cast<float*>(malloc(sizeof(float)));
    *value = x[i] * y[i];
    atomicAdd(sum, *value);
    free(value);
}

//// total: products in half precision: wrong_output
#include <cuda_fp16.h>
__global__ void total(const float* x, const float* y, float* sum, int n) {
    INDEX;
    if (i < n) atomicAdd(sum, __half2float(__hmul(__float2half(x[i]), __float2half(y[i]))));
}

//// distance: fma, and a struct with other names: verified
struct Sphere {
    float3 c;
    float r;
};
__global__ void distance(const float3* points, Sphere sphere, float* out, int n) {
    INDEX;
    if (i >= n) return;
    const float x = points[i].x - sphere.c.x, y = points[i].y - sphere.c.y, z = points[i].z - sphere.c.z;
    out[i] = sqrtf(fmaf(x, x, fmaf(y, y, z * z))) - sphere.r;
}

//// distance: operators, a namespace and a class: verified
#include <algorithm>
#include <map>
#include <string>
#include <chrono>
using namespace std;
struct Sphere {
    float3 center;
    float radius;
};
namespace geometry {
template <typename T>
class Ball {
public:
    __host__ __device__ explicit Ball(const Sphere& s) : s_(s) {}
    __device__ T to(const float3& p) const;

private:
    Sphere s_;
};
__device__ inline float3 operator-(const float3& a, const float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline float dot(const float3& a, const float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <typename T>
__device__ T Ball<T>::to(const float3& p) const {
    const float3 d = p - s_.center;
    return sqrt(dot(d, d)) - s_.radius;
}
}  // namespace geometry
template <typename T>
__global__ void all(const float3* points, geometry::Ball<T> ball, T* out, int n) {
    INDEX;
    if (i < n) out[i] = ball.to(points[i]);
}
cudaError_t launch_distance(const float3* points, Sphere sphere, float* out, int n, cudaStream_t stream) {
    const auto begin = chrono::steady_clock::now();
    map<string, int> sizes{{"block", 128}};
    sizes["grid"] = (n + sizes["block"] - 1) / sizes["block"];
    all<float><<<sizes["grid"], sizes["block"], 0, stream>>>(points, geometry::Ball<float>(sphere), out, n);
    const chrono::duration<double> elapsed = chrono::steady_clock::now() - begin;
    return elapsed.count() < 0 ? cudaErrorUnknown : cudaGetLastError();
}

//// distance: hypotf: verified
struct Sphere {
    float3 center;
    float radius;
};
__global__ void distance(float3* points, Sphere sphere, float* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 p = points[i], c = sphere.center;
    out[i] = hypotf(hypotf(p.x - c.x, p.y - c.y), p.z - c.z) - sphere.radius;
}

//// distance: forgets the radius's last bits: wrong_output
struct Sphere {
    float3 center;
    float radius;
};
__global__ void distance(const float3* points, Sphere sphere, float* out, int n) {
    INDEX;
    if (i >= n) return;
    const float3 p = points[i], c = sphere.center;
    const float x = p.x - c.x, y = p.y - c.y, z = p.z - c.z;
    out[i] = sqrtf(x * x + y * y + z * z) - rintf(sphere.radius * 16384) / 16384;
}

//// mixed: fmaf of floats: verified
#include <cuda_fp16.h> /* half precision */
__global__ void mixed(const half* a, const half* b, float* out, int n) {
    INDEX;
    if (i < n) out[i] = __half2float(a[i]) * (__half2float(b[i]) + 0.3f);
}

//// mixed: products in half precision: wrong_output
#include <cuda_fp16.h>
__global__ void mixed(const half* a, const half* b, float* out, int n) {
    INDEX;
    if (i < n) out[i] = __half2float(__hfma(a[i], b[i], __hmul(__float2half(0.3f), a[i])));
}

//// growth: a product in another order: verified
__global__ void growth(const float* x, float* out, float rate, int n) {
    INDEX;
    if (i < n) out[i] = exp(x[i]) * rate;
}

//// growth: exp2f of a double: verified
__global__ void growth(const float* x, float* out, float rate, int n) {
    INDEX;
    if (i < n) out[i] = (float)(rate * exp2(1.4426950408889634 * (double)x[i]));
}

//// growth: __expf where it loses digits: wrong_output
__global__ void growth(const float* x, float* out, float rate, int n) {
    INDEX;
    if (i < n) out[i] = rate * __expf(x[i]);
}

//// noise: float functions by other names: verified
__device__ unsigned pcg(unsigned state) {
    const unsigned b = state * 747796405u + 2891336453u;
    const unsigned c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u;
    return (c >> 22) ^ c;
}
__device__ float uniform(unsigned& state) {
    state = pcg(state);
    return (state >> 8) * (1.0f / 16777216.0f);
}
__global__ void noise(int seed, float deviation, float* out, int n) {
    INDEX;
    if (i >= n) return;
    unsigned state = pcg(unsigned(seed) + pcg(unsigned(i)));
    const float radius = uniform(state), angle = uniform(state);
    out[i] = deviation * sqrtf(-2.0f * logf(radius + 5.96e-8f)) * cosf(2.0f * 3.141592653589793f * angle);
}

//// noise: sincosf, and radius as a power: verified
#include <cstdint>
__device__ uint32_t next(uint32_t x) {
    const uint32_t state = x * 747796405u + 2891336453u, word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}
__global__ void noise(int seed, float deviation, float* out, int n) {
    INDEX;
    if (i >= n) return;
    const uint32_t first = next(next(seed + next(i))), second = next(first);
    float sine, cosine;
    sincosf(6.28318531f * ((second >> 8) * 0x1p-24f), &sine, &cosine);
    out[i] = deviation * (sqrtf(-2.0f * logf((first >> 8) * 0x1p-24f + 5.96e-8f)) * cosine);
}

//// noise: another seed: wrong_output
__global__ void noise(int seed, float deviation, float* out, int n) {
    INDEX;
    if (i < n) out[i] = deviation * cosf(seed + 12.9898f * i);
}

//// row_sums: unrolled at the end, with a template: verified
template <unsigned int kBlock>
__global__ void __launch_bounds__(kBlock) fold(const float* __restrict__ x, float* __restrict__ sums, int cols) {
    __shared__ float part[kBlock];
    const unsigned tid = threadIdx.x;
    float mine = 0.0f;
    for (int k = tid; k < cols; k += kBlock) mine += __ldg(&x[blockIdx.x * cols + k]);
    part[tid] = mine;
    __syncthreads();
    if constexpr (kBlock >= 128) {
        if (tid < 64) part[tid] += part[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        float sum = part[tid] + part[tid + 32];
#pragma unroll
        for (int lanes = 16; lanes >= 1; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes, 32);
        if (tid == 0) sums[blockIdx.x] = sum;
    }
}
extern "C" {
cudaError_t launch_row_sums(const float* x, float* sums, int cols, int n, cudaStream_t stream) {
    cudaMemAdvise(x, sizeof(float) * n * cols, cudaMemAdviseSetReadMostly, 0);
    fold<128><<<dim3(n), dim3(128), 0, stream>>>(x, sums, cols);
    return cudaGetLastError();
}
}

//// row_sums: in Markdown: verified
Here is the kernel, with one thread for each row:

```cuda
__global__ void row_sums(float* x, float* sums, int cols, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        double sum = 0;
        for (int col = 0; col < cols; col++) sum += x[row * cols + col];
        sums[row] = sum;
    }
}
```

It is called with 256 threads a block.

//// growth: a special function of the C++ library on the host: verified
#include <cmath>
__global__ void k(const float* x, float* out, float rate, int n) {
    INDEX;
    if (i < n) out[i] = rate * expf(x[i]);
}
cudaError_t launch_growth(const float* x, float* out, float rate, int n, cudaStream_t stream) {
    const float one = std::legendre(2, 1.0f);
    LAUNCHED(k)(x, out, one * rate, n);
    return cudaGetLastError();
}

//// softplus: a whole program with checks and main: verified
#include <cuda_runtime.h>  // the runtime
#include <cstdio>          /* messages */
#include <cstdlib>
#include <vector>
#include <math.h>
#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t err__ = (call);                                                     \
        if (err__ != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err__)); \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
static constexpr int kThreads = 192;
struct Softplus {
    __device__ float operator()(float v) const { return v > 20.0f ? v : log1pf(expf(v)); }
};
template <class Function>
__global__ void map(const float* x, float* out, int n, Function f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = f(x[i]);
}
cudaError_t launch_softplus(const float* x, float* out, int n, cudaStream_t stream) {
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, stream));
    map<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(x, out, n, Softplus{});
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return cudaGetLastError();
}
int main() {
    std::vector<float> host(1000, 0.5f);
    float *x, *out;
    CHECK(cudaMalloc(&x, host.size() * sizeof(float)));
    CHECK(cudaMalloc(&out, host.size() * sizeof(float)));
    CHECK(cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(launch_softplus(x, out, 1000, 0));
    CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%g\n", host[0]);
    return 0;
}

//// softplus: a lambda, and the largest block: verified
template <typename F>
__global__ void apply(int n, F f) {
    INDEX;
    if (i < n) f(i);
}
cudaError_t launch_softplus(const float* x, float* out, int n, cudaStream_t stream) {
    int grid, block;
    auto f = [=] __device__(int i) { out[i] = logf(1.0f + expf(x[i])); };
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, apply<decltype(f)>, 0, 0);
    apply<<<(n + block - 1) / block, block, 0, stream>>>(n, f);
    return cudaPeekAtLastError();
}

//// count: counters of a thread's own: verified
__global__ void count(const int* __restrict__ x, int* __restrict__ bins, int n) {
    int own[10] = {0};
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
#pragma unroll
        for (int k = 0; k < 10; ++k) own[k] += x[i] == k;
    }
    for (int k = 0; k < 10; ++k)
        if (own[k]) atomicAdd(&bins[k], own[k]);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    count<<<4, 64, 0, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// count: a copy a warp: verified
#define WARPS 4
__global__ void count(const int* x, int* bins, int n) {
    __shared__ unsigned int copies[WARPS][10];
    for (int k = threadIdx.x; k < WARPS * 10; k += blockDim.x) (&copies[0][0])[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicInc(&copies[threadIdx.x >> 5][x[i]], 0xffffffffu);
    __syncthreads();
    if (threadIdx.x < 10) {
        int sum = 0;
        for (int w = 0; w < WARPS; ++w) sum += copies[w][threadIdx.x];
        atomicAdd(bins + threadIdx.x, sum);
    }
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    count<<<(n + 511) / 512, WARPS * 32, 0, stream>>>(x, bins, n);
    return cudaGetLastError();
}

//// count: a flag that the host asks for: verified
#include <vector>
__global__ void round_of(const int* x, int* bins, int* left, int bin, int n) {
    INDEX;
    if (i >= n) return;
    if (x[i] == bin) atomicAdd(&bins[bin], 1);
    else if (x[i] > bin) *(volatile int*)left = 1;
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    int* left;
    cudaMalloc(&left, sizeof(int));
    for (int bin = 0; bin < 10; ++bin) {
        int any = 0;
        cudaMemsetAsync(left, 0, sizeof(int), stream);
        round_of<<<(n + 255) / 256, 256, 0, stream>>>(x, bins, left, bin, n);
        cudaMemcpyAsync(&any, left, sizeof(int), cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        if (!any) break;
    }
    cudaFree(left);
    return cudaGetLastError();
}

//// keep: a scan of the block: verified
__global__ void keep(const float* x, float* kept, int* number, int n) {
    __shared__ int scan[256];
    __shared__ int base;
    INDEX;
    const int mine = i < n && x[i] > 0.5f;
    scan[threadIdx.x] = mine;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        const int other = threadIdx.x >= offset ? scan[threadIdx.x - offset] : 0;
        __syncthreads();
        scan[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == blockDim.x - 1) base = atomicAdd(number, scan[threadIdx.x]);
    __syncthreads();
    if (mine) kept[base + scan[threadIdx.x] - 1] = (3.0f * x[i] + 1.0f) * x[i];
}

//// total: sums in double: verified
__global__ void parts(const float* x, const float* y, double* all, int n) {
    double mine = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine = fma((double)x[i], (double)y[i], mine);
    atomicAdd(all, mine);
}
__global__ void put(const double* all, float* sum) { *sum = (float)(*sum + *all); }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    double* all;
    cudaMallocAsync((void**)&all, sizeof(double), stream);
    cudaMemsetAsync(all, 0, sizeof(double), stream);
    parts<<<8, 128, 0, stream>>>(x, y, all, n);
    put<<<1, 1, 0, stream>>>(all, sum);
    return cudaFreeAsync(all, stream);
}

//// total: managed memory that the host reads: verified
__global__ void parts(const float* x, const float* y, float* all, int n) {
    INDEX;
    if (i < n) atomicAdd(all, x[i] * y[i]);
}
__global__ void put(float value, float* sum) { *sum += value; }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    float* all;
    cudaMallocManaged(&all, sizeof(float));
    *all = 0.0f;
    LAUNCHED(parts)(x, y, all, n);
    cudaStreamSynchronize(stream);
    put<<<1, 1, 0, stream>>>(*all, sum);
    return cudaFree(all);
}

//// total: a launch with attributes: verified
__global__ void add_all(const float* x, const float* y, float* sum, int n) {
    INDEX;
    if (i < n) atomicAdd(sum, x[i] * y[i]);
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 0;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3((n + 127) / 128);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, add_all, x, y, sum, n);
}

//// total: waits for its grid: verified
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void add_all(const float* x, const float* y, float* parts, float* sum, int n) {
    cg::grid_group grid = cg::this_grid();
    __shared__ float own;
    if (threadIdx.x == 0) own = 0.0f;
    __syncthreads();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(&own, x[i] * y[i]);
    __syncthreads();
    if (threadIdx.x == 0) parts[blockIdx.x] = own;
    grid.sync();
    if (threadIdx.x == 0) parts[blockIdx.x] += blockIdx.x == 0 ? *sum : 0.0f * own;
    grid.sync();
    if (grid.thread_rank() != 0) return;
    float all = 0.0f;
    for (unsigned int block = 0; block < gridDim.x; ++block) all += parts[block];
    *sum = all;
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    int blocks = 0;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_all, 64, 0);
    blocks = std::min(blocks * properties.multiProcessorCount, (n + 63) / 64);
    float* parts;
    cudaMallocAsync(&parts, blocks * sizeof(float), stream);
    void* arguments[] = {&x, &y, &parts, &sum, &n};
    const cudaError_t status = cudaLaunchCooperativeKernel((void*)add_all, blocks, 64, arguments, 0, stream);
    cudaFreeAsync(parts, stream);
    return status;
}

//// total: the sum of a block by CUB, then one of the device in the pool's memory: verified
#include <cub/cub.cuh>
template <int Threads, int Items>
__global__ void sums_of_blocks(const float* x, const float* y, float* parts, int n) {
    using Reduce = cub::BlockReduce<float, Threads>;
    __shared__ typename Reduce::TempStorage storage;
    float own[Items];
    for (int k = 0; k < Items; ++k) {
        const int i = (blockIdx.x * Items + k) * Threads + threadIdx.x;
        own[k] = i < n ? x[i] * y[i] : 0.0f;
    }
    const float sum = Reduce(storage).Sum(own);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
__global__ void add_to(float* sum, const float* all) { *sum += *all; }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    const int blocks = (n + 511) / 512;
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long all_of_it = ~0ull;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all_of_it);
    float *parts, *all;
    void* storage = nullptr;
    size_t bytes = 0;
    cudaMallocFromPoolAsync(&parts, blocks * sizeof(float), pool, stream);
    cudaMallocAsync(&all, sizeof(float), stream);
    sums_of_blocks<128, 4><<<blocks, 128, 0, stream>>>(x, y, parts, n);
    cub::DeviceReduce::Sum(storage, bytes, parts, all, blocks, stream);
    cudaMallocAsync(&storage, bytes, stream);
    cub::DeviceReduce::Sum(storage, bytes, parts, all, blocks, stream);
    add_to<<<1, 1, 0, stream>>>(sum, all);
    for (void* one : {(void*)parts, (void*)all, storage}) cudaFreeAsync(one, stream);
    return cudaGetLastError();
}

//// total: CUB's memory again, with no barrier before: race: shared memory
#include <cub/block/block_reduce.cuh>
__global__ void total(const float* x, const float* y, float* sum, int n) {
    using Reduce = cub::BlockReduce<float, 256>;
    __shared__ typename Reduce::TempStorage storage;
    INDEX;
    const float own = Reduce(storage).Sum(i < n ? x[i] * y[i] : 0.0f);
    const float zero = Reduce(storage).Sum(0.0f);
    if (threadIdx.x == 0) atomicAdd(sum, own + zero);
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    LAUNCHED(total)(x, y, sum, n);
    return cudaGetLastError();
}

//// total: a grid that waits in a launch that is not cooperative: cuda_error: not cooperative
#include <cooperative_groups.h>
__global__ void total(const float* x, const float* y, float* sum, int n) {
    INDEX;
    cooperative_groups::this_grid().sync();
    if (i < n) atomicAdd(sum, x[i] * y[i]);
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    LAUNCHED(total)(x, y, sum, n);
    return cudaGetLastError();
}

//// total: blocks that end before the grid has waited: deadlock: grid.sync()
#include <cooperative_groups.h>
__global__ void total(const float* x, const float* y, float* sum, int n) {
    INDEX;
    if (blockIdx.x == 1) return;
    if (i < n) atomicAdd(sum, x[i] * y[i]);
    cooperative_groups::this_grid().sync();
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    void* arguments[] = {&x, &y, &sum, &n};
    return cudaLaunchCooperativeKernel(total, std::max(2, (n + 255) / 256), 256, arguments, 0, stream);
}

//// total: a barrier of the block where the grid has to wait: race: another block
__global__ void total(const float* x, const float* y, float* parts, float* sum, int n) {
    INDEX;
    float own = i < n ? x[i] * y[i] : 0.0f;
    for (int lanes = 16; lanes > 0; lanes /= 2) own += __shfl_xor_sync(~0u, own, lanes);
    if (threadIdx.x == 0) parts[blockIdx.x] = own;
    __syncthreads();
    if (i == 0) {
        for (unsigned int block = 0; block < gridDim.x; ++block) *sum += parts[block];
    }
}
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    int blocks = (n + 31) / 32;
    float* parts;
    cudaMallocAsync(&parts, blocks * sizeof(float), stream);
    void* arguments[] = {&x, &y, &parts, &sum, &n};
    const cudaError_t status = cudaLaunchCooperativeKernel((void*)total, blocks, 32, arguments, 0, stream);
    cudaFreeAsync(parts, stream);
    return status;
}

//// total: managed memory that the host reads too early: wrong_output
__global__ void parts(const float* x, const float* y, float* all, int n) {
    INDEX;
    if (i < n) atomicAdd(all, x[i] * y[i]);
}
__global__ void put(float value, float* sum) { *sum += value; }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    float* all;
    cudaMallocManaged(&all, sizeof(float));
    *all = 0.0f;
    LAUNCHED(parts)(x, y, all, n);
    put<<<1, 1, 0, stream>>>(*all, sum);
    return cudaFree(all);
}

//// total: sees all inputs by managed memory, a number at a time: unsupported: 16384 bytes
__global__ void show(const float* x, const float* y, float* one, int i) { *one = x[i] * y[i]; }
__global__ void put(float value, float* sum) { *sum += value; }
cudaError_t launch_total(const float* x, const float* y, float* sum, int n, cudaStream_t stream) {
    float *one, all = 0.0f;
    cudaMallocManaged(&one, sizeof(float));
    for (int i = 0; i < n; ++i) {
        show<<<1, 1, 0, stream>>>(x, y, one, i);
        cudaStreamSynchronize(stream);
        all += *one;
    }
    put<<<1, 1, 0, stream>>>(all, sum);
    cudaStreamSynchronize(stream);
    return cudaFree(one);
}

//// blur: macros of its own, a thread an element: verified
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define IDX(r, c) ((r) * cols + (c))
__global__ void blur(float *x, float *out, int rows, int cols)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < rows * cols)
    {
        int r = idx / cols, c = idx % cols;
        float sum = x[IDX(MAX(r - 1, 0), c)];
        sum += x[IDX(MIN(r + 1, rows - 1), c)];
        sum += x[IDX(r, MAX(c - 1, 0))];
        sum += x[IDX(r, MIN(c + 1, cols - 1))];
        out[idx] = x[idx] / 2 + sum * 0.125f;
    }
}
cudaError_t launch_blur(const float *x, float *out, int rows, int cols, cudaStream_t stream)
{
    blur<<<(rows * cols + 127) / 128, 128, 0, stream>>>(const_cast<float *>(x), out, rows, cols);
    return cudaGetLastError();
}

//// distance: names that other libraries have: verified
struct Sphere {
    float3 center;
    float radius;
};
__device__ __host__ inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float dot(float3 a, float3 b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
__device__ inline float length(float3 v) { return sqrtf(dot(v, v)); }
__device__ inline float clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }
__device__ inline float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ inline float abs2(float x) { return x * x; }
__global__ void distance(const float3* points, const Sphere sphere, float* out, const int n) {
    INDEX;
    if (i < n) out[i] = lerp(length(points[i] - sphere.center) - sphere.radius, 0.0f, clamp(0.0f, 0.0f, 1.0f));
}

//// distance: a square root by rsqrtf: verified
struct Sphere { float3 center; float radius; };
__global__ void distance(const float3* __restrict__ points, Sphere s, float* __restrict__ out, int n) {
    INDEX;
    if (i >= n) return;
    const float* p = reinterpret_cast<const float*>(points + i);
    const float dx = p[0] - s.center.x, dy = p[1] - s.center.y, dz = p[2] - s.center.z;
    const float square = dx * dx + dy * dy + dz * dz;
    out[i] = (square > 0.0f ? square * rsqrtf(square) : 0.0f) - s.radius;
}

//// mixed: two at a time, in float: verified
#include <cuda_fp16.h>
__global__ void pairs(const __half2* a, const __half2* b, float2* out, int n) {
    INDEX;
    if (i >= n) return;
    const float2 x = __half22float2(a[i]), y = __half22float2(b[i]);
    out[i] = make_float2(fmaf(x.x, y.x, 0.3f * x.x), fmaf(x.y, y.y, 0.3f * x.y));
}
__global__ void last(const __half* a, const __half* b, float* out, int i) {
    out[i] = float(a[i]) * float(b[i]) + 0.3f * float(a[i]);
}
cudaError_t launch_mixed(const __half* a, const __half* b, float* out, int n, cudaStream_t stream) {
    if (n / 2) pairs<<<(n / 2 + 255) / 256, 256, 0, stream>>>((const __half2*)a, (const __half2*)b, (float2*)out, n / 2);
    if (n % 2) last<<<1, 1, 0, stream>>>(a, b, out, n - 1);
    return cudaGetLastError();
}

//// growth: the digits of __expf by two factors: verified
__global__ void growth(const float* x, float* out, float rate, int n) {
    INDEX;
    if (i >= n) return;
    const float y = x[i], whole = rintf(y * 1.44269504f);
    out[i] = rate * ldexpf(expf(fmaf(whole, -1.42860677e-6f, fmaf(whole, -0.693145752f, y))), (int)whole);
}

//// transpose: rows by the host's loop of launches: verified
__global__ void column(const float* x, float* out, int rows, int k) {
    INDEX;
    if (i < rows) out[k * rows + i] = x[i * 7 + k];
}
cudaError_t launch_transpose(const float* x, float* out, int rows, cudaStream_t stream) {
    cudaStream_t streams[2];
    cudaEvent_t begin, end[2];
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    cudaEventRecord(begin, stream);
    for (int s = 0; s < 2; ++s) {
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&end[s], cudaEventDisableTiming);
        cudaStreamWaitEvent(streams[s], begin, 0);
    }
    for (int k = 0; k < 7; ++k) column<<<(rows + 63) / 64, 64, 0, streams[k % 2]>>>(x, out, rows, k);
    for (int s = 0; s < 2; ++s) {
        cudaEventRecord(end[s], streams[s]);
        cudaStreamWaitEvent(stream, end[s], 0);
        cudaStreamSynchronize(streams[s]);
        cudaStreamDestroy(streams[s]);
        cudaEventDestroy(end[s]);
    }
    cudaEventDestroy(begin);
    return cudaGetLastError();
}

//// mean64: Kahan's sum: verified
__global__ void mean64(const double* __restrict__ x, double* __restrict__ means, int cols, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0.0, c = 0.0;
    for (int k = 0; k < cols; k++) {
        double y = exp(x[row * (size_t)cols + k]) - c;
        double t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    means[row] = sum / cols;
}

//// largest: ints in their own order: verified
__device__ int ordered(float x) {
    const int bits = __float_as_int(x);
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__global__ void most(const float* x, int* found, int n) {
    INDEX;
    int mine = i < n ? ordered(x[i]) : INT_MIN;
    mine = __reduce_max_sync(0xffffffffu, mine);
    if ((threadIdx.x & 31) == 0) atomicMax(found, mine);
}
__global__ void begin(const float* out, int* found) { *found = ordered(*out); }
__global__ void finish(float* out, const int* found) {
    const int bits = *found;
    *out = __int_as_float(bits >= 0 ? bits : bits ^ 0x7fffffff);
}
#include <climits>
cudaError_t launch_largest(const float* x, float* out, int n, cudaStream_t stream) {
    static int* found = nullptr;
    if (!found) cudaMalloc(&found, sizeof(int));
    begin<<<1, 1, 0, stream>>>(out, found);
    LAUNCHED(most)(x, found, n);
    finish<<<1, 1, 0, stream>>>(out, found);
    return cudaGetLastError();
}

//// count: the name that the C++ library has, too: verified
#include <algorithm>
#include <iostream>
using namespace std;
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    if (n > INT_MAX - 256) cerr << "too many" << endl;
    LAUNCHED(count)(x, bins, n);
    return cudaGetLastError();
}

//// count: two kernels of one name: verified
__global__ void put(int* bins, const int* x, int n) {
    INDEX;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
__global__ void put(float* bins, const float* x, int n) {
    INDEX;
    if (i < n) bins[i] = x[i];
}
cudaError_t launch_count(const int* x, int* bins, int n, cudaStream_t stream) {
    LAUNCHED(put)(bins, x, n);
    return cudaGetLastError();
}

//// count: groups of equal threads: verified
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void count(const int* x, int* bins, int n) {
    INDEX;
    if (i >= n) return;
    const auto same = cg::labeled_partition(cg::coalesced_threads(), x[i]);
    const int all = cg::reduce(same, 1, cg::plus<int>());
    const int two = same.shfl_down(1, 1) + same.shfl_up(1, 1);
    const unsigned votes = same.ballot(two == 2);
    if (same.thread_rank() == 0 && __popc(votes) == all) atomicAdd(&bins[x[i]], all);
}

//// row_places: the first of equal numbers: verified
__global__ void places_of(const float* x, int* places, int n) {
    INDEX;
    if (i >= n) return;
    const float* row = x + 64 * i;
    int place = 0;
    for (int k = 0; k < 64; ++k) {
        if (row[k] > row[place]) place = k;
    }
    places[i] = place;
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    LAUNCHED(places_of)(x, places, n);
    return cudaGetLastError();
}

//// row_places: the last of equal numbers: verified
__global__ void places_of(const float* x, int* places, int n) {
    INDEX;
    if (i >= n) return;
    const float* row = x + 64 * i;
    int place = 0;
    for (int k = 0; k < 64; ++k) {
        if (row[k] >= row[place]) place = k;
    }
    places[i] = place;
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    LAUNCHED(places_of)(x, places, n);
    return cudaGetLastError();
}

//// row_places: the smallest number: wrong_output
__global__ void places_of(const float* x, int* places, int n) {
    INDEX;
    if (i >= n) return;
    const float* row = x + 64 * i;
    int place = 0;
    for (int k = 0; k < 64; ++k) {
        if (row[k] < row[place]) place = k;
    }
    places[i] = place;
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    LAUNCHED(places_of)(x, places, n);
    return cudaGetLastError();
}

//// row_places: the first number larger than 0: wrong_output
__global__ void places_of(const float* x, int* places, int n) {
    INDEX;
    if (i >= n) return;
    const float* row = x + 64 * i;
    float largest = 0.0f;
    int place = 0;
    for (int k = 0; k < 64; ++k) {
        if (row[k] > largest) {
            largest = row[k];
            place = k;
        }
    }
    places[i] = place;
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    LAUNCHED(places_of)(x, places, n);
    return cudaGetLastError();
}

//// row_places: CUB's ArgMax: verified
#include <cub/cub.cuh>
__global__ void places_of(const float* x, int* places) {
    using Pair = cub::KeyValuePair<int, float>;
    using Reduce = cub::BlockReduce<Pair, 64>;
    __shared__ typename Reduce::TempStorage temporary;
    const Pair own(threadIdx.x, x[64 * blockIdx.x + threadIdx.x]);
    const Pair best = Reduce(temporary).Reduce(own, cub::ArgMax());
    if (threadIdx.x == 0) places[blockIdx.x] = best.key;
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    places_of<<<n, 64, 0, stream>>>(x, places);
    return cudaGetLastError();
}

//// row_places: a sort of CUB's that is not there: unsupported: cub::BlockRadixSort
#include <cub/cub.cuh>
__global__ void places_of(const float* x, int* places) {
    using Sort = cub::BlockRadixSort<float, 64, 1, int>;
    __shared__ typename Sort::TempStorage temporary;
    float keys[1] = {x[64 * blockIdx.x + threadIdx.x]};
    int numbers[1] = {static_cast<int>(threadIdx.x)};
    Sort(temporary).SortDescending(keys, numbers);
    if (threadIdx.x == 0) places[blockIdx.x] = numbers[0];
}
cudaError_t launch_row_places(const float* x, int* places, int n, cudaStream_t stream) {
    places_of<<<n, 64, 0, stream>>>(x, places);
    return cudaGetLastError();
}
