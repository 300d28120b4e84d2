// Right programs for kernels of examples/, in many styles: benchmarks/judge.py reads them.

//// heat.diffuse: constant memory params
#include <cuda_runtime.h>
struct Params { int rows, cols; float dt; };
__constant__ Params P;
__global__ void step(const float* __restrict__ t, const float* __restrict__ k, float* __restrict__ o) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c >= P.cols) return;
    auto T = [&](int i, int j) { return t[min(max(i, 0), P.rows - 1) * P.cols + min(max(j, 0), P.cols - 1)]; };
    const float lap = T(r - 1, c) + T(r + 1, c) + T(r, c - 1) + T(r, c + 1) - 4.0f * T(r, c);
    o[r * P.cols + c] = T(r, c) + P.dt * k[r * P.cols + c] * lap;
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const Params p{rows, columns, time_step};
    cudaError_t e = cudaMemcpyToSymbolAsync(P, &p, sizeof p, 0, cudaMemcpyHostToDevice, stream);
    if (e != cudaSuccess) return e;
    step<<<dim3((columns + 127) / 128, rows), 128, 0, stream>>>(temperature, conductivity, next_temperature);
    return cudaGetLastError();
}

//// heat.diffuse: rolling registers
#include <cuda_runtime.h>
#include <algorithm>
// A thread marches down 8 rows and keeps three of them in registers.
__global__ void march(const float* __restrict__ t, const float* __restrict__ k, float* __restrict__ o, int rows, int cols, float dt) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    const int first = blockIdx.y * 8, last = min(first + 8, rows);
    float above = t[max(first - 1, 0) * cols + c], here = t[first * cols + c];
    for (int r = first; r < last; ++r) {
        const float below = t[min(r + 1, rows - 1) * cols + c];
        const float l = t[r * cols + max(c - 1, 0)], right = t[r * cols + min(c + 1, cols - 1)];
        o[r * cols + c] = fmaf(dt * k[r * cols + c], above + below + l + right - 4.0f * here, here);
        above = here; here = below;
    }
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    march<<<dim3((columns + 63) / 64, (rows + 7) / 8), 64, 0, stream>>>(temperature, conductivity, next_temperature, rows, columns, time_step);
    return cudaGetLastError();
}

//// heat.diffuse: texture 2d array
#include <cuda_runtime.h>
__global__ void step(cudaTextureObject_t t, const float* __restrict__ k, float* __restrict__ o, int rows, int cols, float dt) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= cols || r >= rows) return;
    float m = tex2D<float>(t, c + 0.5f, r + 0.5f);
    float l = tex2D<float>(t, c + 0.5f, r - 0.5f) + tex2D<float>(t, c + 0.5f, r + 1.5f) + tex2D<float>(t, c - 0.5f, r + 0.5f) + tex2D<float>(t, c + 1.5f, r + 0.5f) - 4.0f * m;
    o[r * cols + c] = m + dt * k[r * cols + c] * l;
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaError_t e = cudaMallocArray(&array, &channel, columns, rows);
    if (e) return e;
    cudaMemcpy2DToArrayAsync(array, 0, 0, temperature, columns * 4, columns * 4, rows, cudaMemcpyDeviceToDevice, stream);
    cudaResourceDesc res{}; res.resType = cudaResourceTypeArray; res.res.array.array = array;
    cudaTextureDesc desc{}; desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp; desc.filterMode = cudaFilterModePoint; desc.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex; cudaCreateTextureObject(&tex, &res, &desc, nullptr);
    step<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(tex, conductivity, next_temperature, rows, columns, time_step);
    e = cudaStreamSynchronize(stream);
    cudaDestroyTextureObject(tex); cudaFreeArray(array);
    return e;
}

//// matmul.multiply: register blocked
#include <cuda_runtime.h>
// 16 x 32 of c a block, a thread has 4 in a row; a is staged transposed, with padding.
__global__ void __launch_bounds__(128) mm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float at[48][16 + 1];
    __shared__ __align__(16) float bs[48][32];
    const int r0 = blockIdx.x * 16, t = threadIdx.x;
    for (int k = t; k < 16 * 48; k += 128) at[k % 48][k / 48] = a[(r0 + k / 48) * 48 + k % 48];
    for (int k = t; k < 48 * 32 / 4; k += 128) reinterpret_cast<float4*>(&bs[0][0])[k] = reinterpret_cast<const float4*>(b)[k];
    __syncthreads();
    const int r = t / 8, q = t % 8;
    float4 s = make_float4(0, 0, 0, 0);
#pragma unroll 8
    for (int k = 0; k < 48; ++k) {
        const float x = at[k][r];
        const float4 y = *reinterpret_cast<const float4*>(&bs[k][4 * q]);
        s.x = fmaf(x, y.x, s.x); s.y = fmaf(x, y.y, s.y); s.z = fmaf(x, y.z, s.z); s.w = fmaf(x, y.w, s.w);
    }
    *reinterpret_cast<float4*>(c + (r0 + r) * 32 + 4 * q) = s;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue;
    if (rows == 0) return cudaSuccess;
    mm<<<rows / 16, 128, 0, stream>>>(a, b, c);
    return cudaGetLastError();
}

//// matmul.multiply: split k in shared memory
#include <cuda_runtime.h>
// Split-k over two warps with a reduction in shared memory; float4 stores.
__global__ void mm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ alignas(16) float part[2][16][32];
    const int k0 = threadIdx.z * 24, x = threadIdx.x, y = threadIdx.y;
    float s0 = 0, s1 = 0;
#pragma unroll 4
    for (int k = k0; k < k0 + 24; ++k) { const float bv = b[k * 32 + x]; s0 = fmaf(a[(blockIdx.x * 16 + y) * 48 + k], bv, s0); s1 = fmaf(a[(blockIdx.x * 16 + y + 8) * 48 + k], bv, s1); }
    part[threadIdx.z][y][x] = s0; part[threadIdx.z][y + 8][x] = s1;
    __syncthreads();
    const int t = x + 32 * (y + 8 * threadIdx.z);
    if (t < 128) { const int r = t / 8, q = t % 8; const float4 u = reinterpret_cast<float4*>(part[0][r])[q], v = reinterpret_cast<float4*>(part[1][r])[q]; reinterpret_cast<float4*>(c)[(blockIdx.x * 16 + r) * 8 + q] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w); }
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue; if (!rows) return cudaSuccess; mm<<<rows / 16, dim3(32, 8, 2), 0, stream>>>(a, b, c); return cudaGetLastError(); }

//// matmul.sum_rows: cub warp reduce
#include <cuda_runtime.h>
#include <cub/warp/warp_reduce.cuh>
__global__ void k(const float* __restrict__ m, float* __restrict__ s, int rows) {
    using WarpReduce = cub::WarpReduce<float>;
    __shared__ typename WarpReduce::TempStorage temp[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    const float v = row < rows ? m[row * 64 + lane] + m[row * 64 + 32 + lane] : 0.0f;
    const float t = WarpReduce(temp[warp]).Sum(v);
    if (lane == 0 && row < rows) s[row] = t;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    if (!rows) return cudaSuccess;
    k<<<(rows + 3) / 4, 128, 0, stream>>>(matrix, sums, rows);
    return cudaGetLastError();
}

//// matmul.sum_rows: float4 two rows a warp
#include <cuda_runtime.h>
__global__ void sum_rows(const float* __restrict__ matrix, float* __restrict__ sums, int rows) {
    const int half = (blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x) / 16;
    const unsigned lane = threadIdx.x & 15;
    float t = 0.0f;
    if (half < rows) {
        const float4 q = reinterpret_cast<const float4*>(matrix)[half * 16 + lane];
        t = (q.x + q.y) + (q.z + q.w);
    }
    t += __shfl_down_sync(0xffffffffu, t, 8, 16);
    t += __shfl_down_sync(0xffffffffu, t, 4, 16);
    t += __shfl_down_sync(0xffffffffu, t, 2, 16);
    t += __shfl_down_sync(0xffffffffu, t, 1, 16);
    if (lane == 0 && half < rows) sums[half] = t;
}

//// matmul.sum_rows: ptx loads
#include <cuda_runtime.h>
__device__ __forceinline__ float4 ldg_nc(const float4* p) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}
__device__ __forceinline__ unsigned lane_id() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ __forceinline__ float fma_ptx(float a, float b, float c) { float d; asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c)); return d; }
__device__ __forceinline__ float bfly(float v, int m) { float r; asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(v), "r"(m)); return r; }
__global__ void k(const float* __restrict__ m, float* __restrict__ s, int rows) {
    const int half = (blockIdx.x * 256 + threadIdx.x) / 16, l = lane_id() & 15;
    float t = 0;
    if (half < rows) { float4 q = ldg_nc((const float4*)m + half * 16 + l); t = fma_ptx(q.x, 1.0f, q.y) + (q.z + q.w); }
    for (int o = 8; o; o >>= 1) t += bfly(t, o);
    if (!l && half < rows) asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(s + half), "f"(t) : "memory");
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t st) { if (!rows) return cudaSuccess; k<<<(rows + 15) / 16, 256, 0, st>>>(matrix, sums, rows); return cudaGetLastError(); }

//// nbody.kinetic_energy: cudaLaunchKernel
#include <cuda_runtime.h>
#include <cmath>
struct Body { float3 position; float3 velocity; float mass; };
__global__ void energy_kernel(const Body* b, float* e, int n) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < unsigned(n)) {
        const double x = b[i].velocity.x, y = b[i].velocity.y, z = b[i].velocity.z;
        e[i] = static_cast<float>(0.5 * b[i].mass * (x * x + y * y + z * z));
    }
}
cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    int min_grid = 0, block = 0;
    cudaError_t status = cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, energy_kernel, 0, 0);
    if (status != cudaSuccess) return status;
    void* arguments[] = {&bodies, &energy, &n};
    return cudaLaunchKernel((const void*)energy_kernel, dim3((n + block - 1) / block), dim3(block), arguments, 0, stream);
}

//// nbody.kinetic_energy: grid stride ldg
#include <cuda_runtime.h>
#include <algorithm>
struct Body { float3 position; float3 velocity; float mass; };

template <typename T>
__device__ __forceinline__ T sqr(T x) { return x * x; }

__global__ void __launch_bounds__(128, 4)
kinetic_energy(const Body* __restrict__ bodies, float* __restrict__ energy, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const float vx = __ldg(&bodies[i].velocity.x);
        const float vy = __ldg(&bodies[i].velocity.y);
        const float vz = __ldg(&bodies[i].velocity.z);
        energy[i] = 0.5f * __ldg(&bodies[i].mass) * fmaf(vx, vx, fmaf(vy, vy, sqr(vz)));
    }
}
cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    int device = 0, sms = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e != cudaSuccess) return e;
    e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (e != cudaSuccess) return e;
    const int grid = std::min((n + 127) / 128, sms * 8);
    kinetic_energy<<<grid, 128, 0, stream>>>(bodies, energy, n);
    return cudaPeekAtLastError();
}

//// nbody.kinetic_energy: lambda foreach
#include <cuda_runtime.h>
#include <cstdio>
struct Body { float3 position; float3 velocity; float mass; };
namespace detail {
template <class F>
__global__ void for_each_index(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
template <int Block = 192, class F>
cudaError_t for_each(int n, cudaStream_t s, F f) {
    if (n <= 0) return cudaSuccess;
    for_each_index<<<dim3((n + Block - 1) / Block), dim3(Block), 0, s>>>(n, f);
    return cudaGetLastError();
}
}  // namespace detail
cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t stream) {
    return detail::for_each(n, stream, [=] __device__(int i) {
        const float3 v = bodies[i].velocity;
        energy[i] = bodies[i].mass * 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z);
    });
}

//// nbody.kinetic_energy: shared float4 staging
// A body has 7 floats: read a block's bodies as a flat, coalesced stream of floats.
#include <cuda_runtime.h>
struct Body { float3 position; float3 velocity; float mass; };
static_assert(sizeof(Body) == 28, "packed");
constexpr int kBlock = 128;
__global__ void staged(const Body* __restrict__ bodies, float* __restrict__ energy, int n) {
    __shared__ float stage[kBlock * 7];
    const int first = blockIdx.x * kBlock;
    const int here = min(kBlock, n - first);
    const float* flat = reinterpret_cast<const float*>(bodies + first);
    for (int k = threadIdx.x; k < here * 7; k += kBlock) stage[k] = flat[k];
    __syncthreads();
    if (threadIdx.x < here) {
        const float* b = stage + threadIdx.x * 7;
        energy[first + threadIdx.x] = 0.5f * b[6] * (b[3] * b[3] + b[4] * b[4] + b[5] * b[5]);
    }
}
extern "C" cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    staged<<<(n + kBlock - 1) / kBlock, kBlock, 0, stream>>>(bodies, energy, n);
    return cudaGetLastError();
}

//// smoothing.count_above: ballot popc
#include <cuda_runtime.h>
__global__ void count_above_k(const float* __restrict__ v, float t, int* __restrict__ total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned votes = __ballot_sync(0xffffffffu, i < n && v[i] > t);
    if ((threadIdx.x & 31) == 0 && votes) atomicAdd(total, __popc(votes));
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int thread_count, cudaStream_t stream) {
    if (thread_count == 0) return cudaSuccess;
    count_above_k<<<(thread_count + 511) / 512, 512, 0, stream>>>(values, threshold, total, thread_count);
    return cudaGetLastError();
}

//// smoothing.count_above: cg reduce
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void count(const float4* v4, const float* v, float t, int* total, int n) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto grid = cg::this_grid();
    int mine = 0;
    const int quads = n / 4;
    for (unsigned long long k = grid.thread_rank(); k < quads; k += grid.size()) {
        const float4 q = v4[k];
        mine += (q.x > t) + (q.y > t) + (q.z > t) + (q.w > t);
    }
    if (grid.thread_rank() < n % 4) mine += v[quads * 4 + grid.thread_rank()] > t;
    mine = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(total, mine);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int thread_count, cudaStream_t stream) {
    if (thread_count == 0) return cudaSuccess;
    const int grid = std::min((thread_count + 1023) / 1024, 264);
    count<<<grid, 256, 0, stream>>>(reinterpret_cast<const float4*>(values), values, threshold, total, thread_count);
    return cudaGetLastError();
}

//// smoothing.count_above: cg thread group
#include <cuda_runtime.h>
#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ int reduce_sum(thread_group g, int* temp, int val) {
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync();
        if (lane < i) val += temp[lane + i];
        g.sync();
    }
    return val;
}
__global__ void k(const float* v, float t, int* total, int n) {
    extern __shared__ int temp[];
    int c = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c += v[i] > t;
    auto g = this_thread_block();
    int s = reduce_sum(g, temp, c);
    thread_block_tile<4> tile = tiled_partition<4>(g);
    int t4 = tile.thread_rank() == 0 && g.thread_rank() == 0 ? s : 0;
    t4 += tile.shfl_down(t4, 2);
    if (g.thread_rank() == 0) atomicAdd(total, t4);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<4, 256, 256 * sizeof(int), stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: constexpr lambda ifelse
#include <cuda_runtime.h>
#include <cstdint>
#include <algorithm>
#include <numeric>
#include <array>
namespace { constexpr std::array<int, 3> kSizes{64, 128, 256}; constexpr int pick(int n) { for (int s : kSizes) if (n <= s) return s; return kSizes.back(); } }
template <typename F> __global__ void launch_it(F f, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    const int block = pick(n);
    auto f = [values, threshold, total] __device__ (int i) mutable { if (values[i] > threshold) atomicAdd(total, 1); };
    launch_it<<<std::max(1, std::min(512, (n + block - 1) / block)), block, 0, stream>>>(f, n);
    return cudaGetLastError();
}

//// smoothing.count_above: cub block reduce
#include <cuda_runtime.h>
#include <cub/cub.cuh>
constexpr int BLOCK = 256, ITEMS = 4;
__global__ void k(const float* __restrict__ v, float t, int* total, int n) {
    using BlockReduce = cub::BlockReduce<int, BLOCK>;
    __shared__ typename BlockReduce::TempStorage temp;
    int items[ITEMS];
    for (int j = 0; j < ITEMS; ++j) {
        int i = (blockIdx.x * ITEMS + j) * BLOCK + threadIdx.x;
        items[j] = i < n ? (v[i] > t ? 1 : 0) : 0;
    }
    int sum = BlockReduce(temp).Sum(items);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<(n + BLOCK * ITEMS - 1) / (BLOCK * ITEMS), BLOCK, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: cuda atomic ref
#include <cuda_runtime.h>
#include <cuda/atomic>
__global__ void k(const float* __restrict__ v, float t, int* total, int n) {
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += v[i] > t;
    if (mine) {
        cuda::atomic_ref<int, cuda::thread_scope_device> r(*total);
        r.fetch_add(mine, cuda::memory_order_relaxed);
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<8, 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: grid sync cooperative
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* v, float t, int* partial, int* total, int n) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) if (v[i] > t) atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
    grid.sync();
    if (grid.thread_rank() == 0) { int sum = 0; for (int b = 0; b < gridDim.x; ++b) sum += partial[b]; *total += sum; }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int blocks_per_sm = 0, device = 0; cudaDeviceProp p;
    cudaGetDevice(&device); cudaGetDeviceProperties(&p, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, k, 128, 0);
    int grid = min((n + 127) / 128, blocks_per_sm * p.multiProcessorCount);
    int* partial; cudaMallocAsync(&partial, grid * sizeof(int), stream);
    void* args[] = {(void*)&values, (void*)&threshold, (void*)&partial, (void*)&total, (void*)&n};
    cudaError_t e = cudaLaunchCooperativeKernel((void*)k, grid, 128, args, 0, stream);
    cudaFreeAsync(partial, stream);
    return e;
}

//// smoothing.count_above: last block done
#include <cuda_runtime.h>
// NVIDIA's threadFenceReduction: the last block to arrive adds all partial sums.
__device__ unsigned int ticket = 0;
__device__ int partial[1024];
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ bool last;
    int c = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c += v[i] > t;
    c = __syncthreads_or(0) + c;
    for (int o = 16; o; o >>= 1) c += __shfl_down_sync(~0u, c, o);
    __shared__ int w[8];
    if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = c;
    __syncthreads();
    if (threadIdx.x == 0) {
        int s = 0;
        for (int j = 0; j < 8; ++j) s += w[j];
        partial[blockIdx.x] = s;
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 32) {
        __threadfence();
        int s = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += 32) s += ((volatile int*)partial)[b];
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
        if (threadIdx.x == 0) *total += s;
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<min((n + 255) / 256, 1024), 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: launchKernelEx
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n + 255) / 256);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = 0;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, k, values, threshold, total, n);
}

//// smoothing.count_above: local histogram 1k
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int h[256]; for (int& x : h) x = 0; int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) h[i & 255] = 1; int s = 0; for (int x : h) s += x; if (s) atomicAdd(total, s); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: managed result
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] > t) atomicAdd(c, 1);
}
__global__ void add(int* total, const int* c) { *total += *c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* c;
    cudaError_t e = cudaMallocManaged(&c, sizeof(int));
    if (e) return e;
    *c = 0;
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, c, n);
    add<<<1, 1, 0, stream>>>(total, c);
    e = cudaStreamSynchronize(stream);
    cudaFree(c);
    return e;
}

//// smoothing.count_above: mempool priority
#include <cuda_runtime.h>
#include <cub/device/device_reduce.cuh>
__global__ void flag(const float* v, float t, int* f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f[i] = v[i] > t; }
__global__ void add(int* total, const int* c) { *total += *c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long keep = ~0ull;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    int *flags, *count; void* temp = nullptr; size_t bytes = 0;
    cudaMallocAsync(&flags, n * sizeof(int), stream);
    cudaMallocFromPoolAsync(&count, sizeof(int), pool, stream);
    flag<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, flags, n);
    cub::DeviceReduce::Sum(temp, bytes, flags, count, n, stream);
    cudaMallocAsync(&temp, bytes, stream);
    cub::DeviceReduce::Sum(temp, bytes, flags, count, n, stream);
    add<<<1, 1, 0, stream>>>(total, count);
    cudaFreeAsync(temp, stream); cudaFreeAsync(flags, stream); cudaFreeAsync(count, stream);
    return cudaGetLastError();
}

//// smoothing.count_above: prefetch managed scratch
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* part, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int c = __syncthreads_count(i < n && v[i] > t); if (!threadIdx.x) part[blockIdx.x] = c; }
__global__ void fin(const int* part, int m, int* total) { int s = 0; for (int i = 0; i < m; ++i) s += part[i]; *total += s; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int g = (n + 255) / 256; int* part;
    cudaMallocManaged(&part, g * sizeof(int));
    for (int i = 0; i < g; ++i) part[i] = 0;
    k<<<g, 256, 0, stream>>>(values, threshold, part, n);
    fin<<<1, 1, 0, stream>>>(part, g, total);
    cudaStreamSynchronize(stream);
    return cudaFree(part);
}

//// smoothing.count_above: ptx popc setp
#include <cuda_runtime.h>
__device__ __forceinline__ int above(float a, float b) {
    int r;
    asm("{\n\t.reg .pred p;\n\tsetp.gt.f32 p, %1, %2;\n\tselp.s32 %0, 1, 0, p;\n\t}" : "=r"(r) : "f"(a), "f"(b));
    return r;
}
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = i < n ? above(v[i], t) : 0;
    unsigned m = __ballot_sync(~0u, c);
    if (threadIdx.x % 32 == 0) asm volatile("red.global.add.s32 [%0], %1;" ::"l"(total), "r"(__popc(m)) : "memory");
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: reduce add sync
#include <cuda_runtime.h>
static __device__ unsigned int warp_count(bool hit) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, hit ? 1u : 0u);
#else
    return __popc(__ballot_sync(0xffffffffu, hit));
#endif
}
__global__ void k(const float* __restrict__ v, float t, int* total, int n) {
    __shared__ unsigned int block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        const unsigned c = warp_count(i < n && v[i] > t);
        if ((threadIdx.x % warpSize) == 0) atomicAdd(&block_total, c);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, int(block_total));
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    k<<<min((n + 255) / 256, 120), 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: syncthreads count
#include <cuda_runtime.h>
__global__ void count_above(const float* values, float threshold, int* total, int thread_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int c = __syncthreads_count(i < thread_count ? values[i] > threshold : 0);
    if (threadIdx.x == 0) atomicAdd(total, c);
}

//// smoothing.count_above: thrust count if
#include <cuda_runtime.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
struct Above { float t; __host__ __device__ bool operator()(float x) const { return x > t; } };
__global__ void add(int* total, int c) { *total += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int c = (int)thrust::count_if(thrust::cuda::par.on(stream), values, values + n, Above{threshold});
    add<<<1, 1, 0, stream>>>(total, c);
    return cudaGetLastError();
}

//// smoothing.count_above: two pass mallocAsync
#include <cuda_runtime.h>
#include <stdexcept>
#define RETURN_IF(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) return e_; } while (0)
template <unsigned B>
__device__ int block_sum(int v) {
    extern __shared__ int s[];
    s[threadIdx.x] = v;
    __syncthreads();
#pragma unroll
    for (unsigned o = B / 2; o > 0; o >>= 1) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    return s[0];
}
template <unsigned B>
__global__ void pass1(const float* v, float t, int* part, int n) {
    int c = 0;
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) c += v[i] > t ? 1 : 0;
    c = block_sum<B>(c);
    if (threadIdx.x == 0) part[blockIdx.x] = c;
}
template <unsigned B>
__global__ void pass2(const int* part, int m, int* total) {
    int c = 0;
    for (int i = threadIdx.x; i < m; i += B) c += part[i];
    c = block_sum<B>(c);
    if (threadIdx.x == 0) *total += c;
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    constexpr unsigned B = 128;
    const int blocks = (n + B - 1) / B < 64 ? (n + B - 1) / B : 64;
    int* part = nullptr;
    RETURN_IF(cudaMallocAsync((void**)&part, blocks * sizeof(int), stream));
    pass1<B><<<blocks, B, B * sizeof(int), stream>>>(values, threshold, part, n);
    pass2<B><<<1, B, B * sizeof(int), stream>>>(part, blocks, total);
    RETURN_IF(cudaGetLastError());
    return cudaFreeAsync(part, stream);
}

//// smoothing.largest_of_pair: float2 vector
#include <cuda_runtime.h>
__global__ void largest_of_pair(const float* __restrict__ values, float* __restrict__ largest, int thread_count) {
    const auto* pairs = reinterpret_cast<const float2*>(values);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)thread_count; i += gridDim.x * blockDim.x) {
        const float2 p = __ldg(pairs + i);
        largest[i] = p.x > p.y ? p.x : p.y;
    }
}

//// smoothing.largest_of_pair: float4 two at once
#include <cuda_runtime.h>
__global__ void two(const float4* __restrict__ in, float2* __restrict__ out, const float* tail, float* last, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        const float4 q = in[i];
        out[i] = make_float2(fmaxf(q.x, q.y), fmaxf(q.z, q.w));
    } else if (i == n / 2 && (n & 1)) {
        last[n - 1] = fmaxf(tail[2 * n - 2], tail[2 * n - 1]);
    }
}
cudaError_t launch_largest_of_pair(const float* values, float* largest, int thread_count, cudaStream_t stream) {
    if (thread_count == 0) return cudaSuccess;
    const int n = thread_count, threads = n / 2 + 1;
    two<<<(threads + 255) / 256, 256, 0, stream>>>((const float4*)values, (float2*)largest, values, largest, n);
    return cudaGetLastError();
}

//// heat.diffuse: mdspan like fastdiv
#include <cuda_runtime.h>
#include <cstdint>
#include <tuple>
#include <optional>
template <typename T> struct Grid2D {
    T* __restrict__ data; int rows, cols;
    __host__ __device__ constexpr Grid2D(T* d, int r, int c) : data(d), rows(r), cols(c) {}
    __host__ __device__ __forceinline__ T& operator()(int r, int c) const { return data[static_cast<size_t>(r) * cols + c]; }
    __device__ __forceinline__ T clamped(int r, int c) const { return (*this)(::max(0, ::min(r, rows - 1)), ::max(0, ::min(c, cols - 1))); }
};
enum class Side : uint8_t { North, South, East, West };
__device__ __constant__ const int8_t kOffset[4][2] = {{-1, 0}, {1, 0}, {0, 1}, {0, -1}};
__global__ void step(Grid2D<const float> t, Grid2D<const float> k, Grid2D<float> o, float dt) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = blockIdx.y; r < t.rows && c < t.cols; r += gridDim.y) {
        float sum = 0.f;
        for (auto s : {Side::North, Side::South, Side::West, Side::East}) { auto& d = kOffset[static_cast<int>(s)]; sum += t.clamped(r + d[0], c + d[1]); }
        o(r, c) = t(r, c) + dt * k(r, c) * (sum - 4.f * t(r, c));
    }
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    auto [gx, gy] = std::make_tuple((columns + 95) / 96, rows < 100 ? rows : 100);
    step<<<dim3(gx, gy), 96, 0, stream>>>({temperature, rows, columns}, {conductivity, rows, columns}, {next_temperature, rows, columns}, time_step);
    return cudaGetLastError();
}

//// heat.diffuse: pitched scratch copy
#include <cuda_runtime.h>
__global__ void step(const float* t, size_t pitch, const float* k, float* o, int rows, int cols, float dt) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= cols || r >= rows) return;
    auto row = [=](int j) { return reinterpret_cast<const float*>(reinterpret_cast<const char*>(t) + min(max(j, 0), rows - 1) * pitch); };
    float m = row(r)[c];
    o[r * cols + c] = m + dt * k[r * cols + c] * (row(r - 1)[c] + row(r + 1)[c] + row(r)[max(c - 1, 0)] + row(r)[min(c + 1, cols - 1)] - 4.0f * m);
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    float* p; size_t pitch;
    cudaError_t e = cudaMallocPitch((void**)&p, &pitch, columns * sizeof(float), rows);
    if (e) return e;
    cudaMemcpy2DAsync(p, pitch, temperature, columns * sizeof(float), columns * sizeof(float), rows, cudaMemcpyDeviceToDevice, stream);
    step<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(p, pitch, conductivity, next_temperature, rows, columns, time_step);
    e = cudaStreamSynchronize(stream);
    cudaFree(p);
    return e;
}

//// heat.diffuse: warp shuffle row
#include <cuda_runtime.h>
// The neighbours along a row come by shuffles; a warp overlaps the next by two columns.
__global__ void step(const float* __restrict__ t, const float* __restrict__ k, float* __restrict__ o, int rows, int cols, float dt) {
    const int lane = threadIdx.x, c = blockIdx.x * 30 + lane - 1, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows) return;
    const int cc = min(max(c, 0), cols - 1);
    const float m = t[r * cols + cc];
    const float l = __shfl_up_sync(0xffffffffu, m, 1), rr = __shfl_down_sync(0xffffffffu, m, 1);
    if (lane == 0 || lane == 31 || c >= cols) return;
    const float u = t[max(r - 1, 0) * cols + c], d = t[min(r + 1, rows - 1) * cols + c];
    o[r * cols + c] = m + dt * k[r * cols + c] * (u + d + l + rr - 4.0f * m);
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    step<<<dim3((columns + 29) / 30, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(temperature, conductivity, next_temperature, rows, columns, time_step);
    return cudaGetLastError();
}

//// smoothing.count_above: cta 3d block odd size
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int i = (blockIdx.x + gridDim.x * blockIdx.y) * threads + tid;
    int c = __syncthreads_count(i < n && v[i] > t);
    if (tid == 0 && c) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; dim3 b(7, 5, 3); int g = (n + 104) / 105; dim3 grid(std::min(g, 100), (g + 99) / 100); k<<<grid, b, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: fork and join of streams
#include <cuda_runtime.h>
#include <vector>
#include <array>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    constexpr int S = 3; std::array<cudaStream_t, S> streams; std::vector<cudaEvent_t> done(S); cudaEvent_t start;
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
    cudaEventRecord(start, stream);
    int chunk = (n + S - 1) / S;
    for (int s = 0; s < S; ++s) {
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming);
        cudaStreamWaitEvent(streams[s], start, 0);
        int first = s * chunk, count = std::min(chunk, n - first);
        if (count > 0) k<<<(count + 127) / 128, 128, 0, streams[s]>>>(values + first, threshold, total, count);
        cudaEventRecord(done[s], streams[s]);
        cudaStreamWaitEvent(stream, done[s], 0);
    }
    for (int s = 0; s < S; ++s) { cudaStreamDestroy(streams[s]); cudaEventDestroy(done[s]); }
    cudaEventDestroy(start);
    return cudaGetLastError();
}

//// smoothing.count_above: barrier of libcu++
#include <cuda_runtime.h>
#include <cuda/barrier>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s;
    if (threadIdx.x == 0) { init(&bar, blockDim.x); s = 0; }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] > t) atomicAdd(&s, 1);
    bar.arrive_and_wait();
    if (threadIdx.x == 0) atomicAdd(total, s);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: device assert printf
#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>
#ifndef NDEBUG
#define DEBUG_ONLY(x) x
#else
#define DEBUG_ONLY(x)
#endif
__global__ void k(const float* __restrict__ v, const float t, int* __restrict__ total, const int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    assert(isfinite(v[i]));
    DEBUG_ONLY(if (v[i] != v[i]) printf("nan at %d\n", i);)
    if (v[i] > t) atomicAdd(total, 1);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: memcpy async of groups
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ float s[256];
    auto b = cg::this_thread_block();
    int base = blockIdx.x * 256, here = min(256, n - base);
    cg::memcpy_async(b, s, v + base, sizeof(float) * here);
    cg::wait(b);
    int c = __syncthreads_count(threadIdx.x < here && s[threadIdx.x] > t);
    if (!threadIdx.x) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: function pointer table
#include <cuda_runtime.h>
using Predicate = bool (*)(float, float);
__device__ bool above(float a, float b) { return a > b; }
__device__ bool below(float a, float b) { return a < b; }
__device__ Predicate table[2] = {above, below};
__global__ void k(const float* v, float t, int* total, int n, int which) { Predicate p = table[which]; int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && p(v[i], t)) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n, 0); return cudaGetLastError(); }

//// smoothing.count_above: graph capture
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* total, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && v[i] > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    cudaGraph_t graph; cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaError_t e = cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
    return e;
}

//// smoothing.count_above: host class buffer
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>
namespace util {
inline void check(cudaError_t e, const char* what) { if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e)); }
#define CHECK(x) util::check((x), #x)
template <class T> class DeviceBuffer {
    T* p_ = nullptr; std::size_t n_ = 0; cudaStream_t s_;
public:
    DeviceBuffer(std::size_t n, cudaStream_t s) : n_(n), s_(s) { CHECK(cudaMallocAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), s)); }
    ~DeviceBuffer() { cudaFreeAsync(p_, s_); }
    DeviceBuffer(const DeviceBuffer&) = delete; DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    DeviceBuffer(DeviceBuffer&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_), s_(o.s_) {}
    T* get() const noexcept { return p_; }
    void zero() { CHECK(cudaMemsetAsync(p_, 0, n_ * sizeof(T), s_)); }
};
}
template <typename T, int kThreads> __global__ void count(const T* __restrict__ v, T t, unsigned long long* c, int n) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) mine += v[i] > t;
    if (mine) atomicAdd(c, mine);
}
__global__ void finish(int* total, const unsigned long long* c) { *total += static_cast<int>(*c); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) try {
    if (!n) return cudaSuccess;
    util::DeviceBuffer<unsigned long long> c(1, stream);
    c.zero();
    count<float, 128><<<dim3{4}, dim3{128}, 0, stream>>>(values, threshold, c.get(), n);
    CHECK(cudaGetLastError());
    finish<<<1, 1, 0, stream>>>(total, c.get());
    CHECK(cudaGetLastError());
    return cudaSuccess;
} catch (const std::exception&) { return cudaErrorUnknown; }

//// smoothing.count_above: lock per block
#include <cuda_runtime.h>
__device__ int lock = 0;
__global__ void k(const float* v, float t, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence();
        volatile int* p = total;
        *p = *p + c;
        __threadfence();
        atomicExch(&lock, 0);
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: pinned result host flag
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void add(int* total, int c) { *total += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int *h, *d;
    cudaMallocHost((void**)&h, sizeof(int)); cudaMalloc((void**)&d, sizeof(int));
    cudaMemsetAsync(d, 0, sizeof(int), stream);
    k<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, d, n);
    cudaMemcpyAsync(h, d, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    if (*h < 0) { fprintf(stderr, "impossible\n"); exit(1); }
    add<<<1, 1, 0, stream>>>(total, *h);
    cudaError_t e = cudaStreamSynchronize(stream);
    cudaFree(d); cudaFreeHost(h);
    return e;
}

//// smoothing.count_above: pipeline primitives
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void k(const float* v, float t, int* total, int n) {
    __shared__ float s[2][128];
    int c = 0, stage = 0;
    const int tiles = (n + 127) / 128;
    int tile = blockIdx.x;
    auto fetch = [&](int at, int into) { int i = at * 128 + threadIdx.x; if (i < n) __pipeline_memcpy_async(&s[into][threadIdx.x], v + i, sizeof(float)); __pipeline_commit(); };
    if (tile < tiles) fetch(tile, 0);
    for (; tile < tiles; tile += gridDim.x) {
        if (tile + gridDim.x < tiles) { fetch(tile + gridDim.x, stage ^ 1); __pipeline_wait_prior(1); } else __pipeline_wait_prior(0);
        __syncthreads();
        if (tile * 128 + threadIdx.x < n) c += s[stage][threadIdx.x] > t;
        __syncthreads();
        stage ^= 1;
    }
    if (c) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; k<<<min(8, (n + 127) / 128), 128, 0, stream>>>(values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: texture linear
#include <cuda_runtime.h>
__global__ void k(cudaTextureObject_t tex, float t, int* total, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && tex1Dfetch<float>(tex, i) > t) atomicAdd(total, 1); }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    cudaResourceDesc r{}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = const_cast<float*>(values);
    r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc d{}; d.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    cudaError_t e = cudaCreateTextureObject(&tex, &r, &d, nullptr);
    if (e != cudaSuccess) return e;
    k<<<(n + 255) / 256, 256, 0, stream>>>(tex, threshold, total, n);
    cudaStreamSynchronize(stream);
    return cudaDestroyTextureObject(tex);
}

//// smoothing.count_above: thrust transform reduce
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
struct Above { float t; __host__ __device__ int operator()(float x) const { return x > t ? 1 : 0; } };
__global__ void add(int* total, int c) { *total += c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    thrust::device_ptr<const float> v(values);
    int c = thrust::transform_reduce(thrust::cuda::par.on(stream), v, v + n, Above{threshold}, 0, thrust::plus<int>());
    add<<<1, 1, 0, stream>>>(total, c);
    return cudaGetLastError();
}

//// smoothing.count_above: variadic policy crtp
#include <cuda_runtime.h>
#include <type_traits>
template <class Derived> struct Op { __device__ bool operator()(float a, float b) const { return static_cast<const Derived*>(this)->apply(a, b); } };
struct Greater : Op<Greater> { __device__ bool apply(float a, float b) const { return a > b; } };
template <int BlockSize, int ItemsPerThread, class P, class... Rest>
__global__ __launch_bounds__(BlockSize) void count_kernel(P p, const float* v, float t, int* total, int n, Rest... rest) {
    static_assert(sizeof...(Rest) == 0, "");
    int c = 0;
    const int base = blockIdx.x * BlockSize * ItemsPerThread;
    #pragma unroll
    for (int k = 0; k < ItemsPerThread; k++) { const int i = base + k * BlockSize + threadIdx.x; if (i < n) c += p(v[i], t) ? 1 : 0; }
    for (int o = warpSize >> 1; o > 0; o >>= 1) c += __shfl_xor_sync(0xFFFFFFFFu, c, o);
    if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(total, c);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) { if (!n) return cudaSuccess; constexpr int B = 64, I = 7; count_kernel<B, I><<<(n + B * I - 1) / (B * I), B, 0, stream>>>(Greater{}, values, threshold, total, n); return cudaGetLastError(); }

//// smoothing.count_above: graph with copies
#include <cuda_runtime.h>
__global__ void k(const float* v, float t, int* c, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n && v[i] > t) atomicAdd(c, 1); }
__global__ void add(int* total, const int* c) { *total += *c; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    int* c; cudaMalloc(&c, 4);
    cudaGraph_t graph; cudaGraphExec_t exec; cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    cudaMemsetAsync(c, 0, 4, s);
    int half = n / 2;
    if (half) k<<<(half + 255) / 256, 256, 0, s>>>(values, threshold, c, half);
    k<<<(n - half + 255) / 256, 256, 0, s>>>(values + half, threshold, c, n - half);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int repeat = 0; repeat < 3; ++repeat) cudaGraphLaunch(exec, stream);
    add<<<1, 1, 0, stream>>>(total, c);
    cudaError_t e = cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph); cudaStreamDestroy(s); cudaFree(c);
    return e;
}

//// smoothing.count_above: thrust vector scan
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/sort.h>
#include <thrust/execution_policy.h>
struct Above { float t; __host__ __device__ int operator()(float x) const { return x > t; } };
__global__ void add(int* total, const int* scan, int n) { *total += scan[n - 1]; }
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (!n) return cudaSuccess;
    thrust::device_vector<int> flags(n);
    auto v = thrust::device_pointer_cast(values);
    thrust::transform(thrust::cuda::par.on(stream), v, v + n, flags.begin(), Above{threshold});
    thrust::sort(flags.begin(), flags.end());
    thrust::inclusive_scan(thrust::device, flags.begin(), flags.end(), flags.begin());
    add<<<1, 1, 0, stream>>>(total, thrust::raw_pointer_cast(flags.data()), n);
    return cudaStreamSynchronize(stream);
}

//// smoothing.count_above: warp specialised loads
#include <cuda_runtime.h>
// The first warp stages a tile while the others count the one before.
constexpr int kTile = 224;
__global__ void __launch_bounds__(256) count(const float* __restrict__ v, float t, int* __restrict__ total, int n) {
    __shared__ float stage[2][kTile];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tiles = (n + kTile - 1) / kTile;
    int mine = 0;
    auto load = [&](int tile, int buffer) {
        for (int e = lane; e < kTile; e += 32) {
            const int i = tile * kTile + e;
            stage[buffer][e] = i < n ? v[i] : t;
        }
    };
    if (warp == 0) load(blockIdx.x, 0);
    __syncthreads();
    int buffer = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, buffer ^= 1) {
        if (warp == 0) {
            if (tile + int(gridDim.x) < tiles) load(tile + gridDim.x, buffer ^ 1);
        } else {
            mine += stage[buffer][threadIdx.x - 32] > t;
        }
        __syncthreads();
    }
    for (int offset = 16; offset; offset >>= 1) mine += __shfl_xor_sync(0xffffffffu, mine, offset);
    if (lane == 0 && mine) atomicAdd(total, mine);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    count<<<min(64, (n + kTile - 1) / kTile), 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: persistent threads with a queue
#include <cuda_runtime.h>
__device__ unsigned int next_chunk;
__global__ void count(const float* __restrict__ v, float t, int* total, int n) {
    constexpr unsigned kChunk = 512;
    __shared__ unsigned int first;
    int mine = 0;
    while (true) {
        if (threadIdx.x == 0) first = atomicAdd(&next_chunk, 1u) * kChunk;
        __syncthreads();
        const unsigned start = first;
        __syncthreads();
        if (start >= unsigned(n)) break;
        for (unsigned i = start + threadIdx.x; i < min(start + kChunk, unsigned(n)); i += blockDim.x) mine += v[i] > t;
    }
    const int all = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(total, all);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    void* queue = nullptr;
    if (auto status = cudaGetSymbolAddress(&queue, next_chunk); status != cudaSuccess) return status;
    if (auto status = cudaMemsetAsync(queue, 0, sizeof(unsigned), stream); status != cudaSuccess) return status;
    count<<<16, 128, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// matmul.sum_rows: tiles of eight lanes
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
template <int kLanes>
__global__ void rows_kernel(const float4* __restrict__ m, float* __restrict__ s, int rows) {
    const auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= rows) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 16 / kLanes; ++k) {
        const float4 q = m[row * 16 + k * kLanes + tile.thread_rank()];
        sum += (q.x + q.y) + (q.z + q.w);
    }
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) s[row] = sum;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    if (rows <= 0) return cudaSuccess;
    rows_kernel<8><<<(rows + 31) / 32, 256, 0, stream>>>(reinterpret_cast<const float4*>(matrix), sums, rows);
    return cudaGetLastError();
}

//// matmul.sum_rows: pipeline of libcu++
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void rows_kernel(const float* m, float* s, int rows) {
    __shared__ float tile[2][64 * 4];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline();
    const int groups = (rows + 3) / 4;
    auto fetch = [&](int g, int b) {
        pipe.producer_acquire();
        const int e = threadIdx.x, i = g * 256 + e;
        if (i < rows * 64) cuda::memcpy_async(&tile[b][e], &m[i], sizeof(float), pipe);
        pipe.producer_commit();
    };
    if (blockIdx.x < groups) fetch(blockIdx.x, 0);
    int b = 0;
    for (int g = blockIdx.x; g < groups; g += gridDim.x, b ^= 1) {
        if (g + gridDim.x < groups) fetch(g + gridDim.x, b ^ 1);
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        block.sync();
        if (threadIdx.x < 4 && g * 4 + threadIdx.x < rows) {
            float sum = 0;
            for (int c = 0; c < 64; ++c) sum += tile[b][threadIdx.x * 64 + c];
            s[g * 4 + threadIdx.x] = sum;
        }
        pipe.consumer_release();
        block.sync();
    }
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    if (rows <= 0) return cudaSuccess;
    rows_kernel<<<min(32, (rows + 3) / 4), 256, 0, stream>>>(matrix, sums, rows);
    return cudaGetLastError();
}

//// smoothing.count_above: lambdas for template kernels
#include <cuda_runtime.h>
template <typename Predicate>
__global__ void count_if(int n, int* total, Predicate predicate) {
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += predicate(i) ? 1 : 0;
    mine = __reduce_add_sync(~0u, mine);
    if ((threadIdx.x & 31) == 0 && mine != 0) atomicAdd(total, mine);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    int device = 0, processors = 0, blocks = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    auto above = [values, threshold] __device__(int i) { return values[i] > threshold; };
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_if<decltype(above)>, 256, 0);
    const int grid = std::min((n + 255) / 256, std::max(1, blocks * processors));
    count_if<<<grid, 256, 0, stream>>>(n, total, above);
    return cudaGetLastError();
}

//// matmul.sum_rows: thrust transform of counting
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>
struct RowSum {
    const float* m;
    __host__ __device__ float operator()(int row) const {
        float sum = 0.0f;
        for (int c = 0; c < 64; ++c) sum += m[row * 64 + c];
        return sum;
    }
};
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    auto first = thrust::make_counting_iterator(0);
    thrust::transform(thrust::cuda::par.on(stream), first, first + rows, sums, RowSum{matrix});
    return cudaGetLastError();
}

//// matmul.sum_rows: segmented reduction of CUB
#include <cuda_runtime.h>
#include <cub/device/device_segmented_reduce.cuh>
__global__ void make_offsets(int* offsets, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) offsets[i] = i * 64;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    if (rows <= 0) return cudaSuccess;
    int* offsets = nullptr;
    void* scratch = nullptr;
    size_t bytes = 0;
    cudaMallocAsync(&offsets, (rows + 1) * sizeof(int), stream);
    make_offsets<<<(rows + 256) / 256, 256, 0, stream>>>(offsets, rows + 1);
    cub::DeviceSegmentedReduce::Sum(nullptr, bytes, matrix, sums, rows, offsets, offsets + 1, stream);
    cudaMallocAsync(&scratch, bytes, stream);
    cub::DeviceSegmentedReduce::Sum(scratch, bytes, matrix, sums, rows, offsets, offsets + 1, stream);
    cudaFreeAsync(scratch, stream);
    cudaFreeAsync(offsets, stream);
    return cudaGetLastError();
}

//// smoothing.largest_of_pair: two streams in halves with events
#include <cuda_runtime.h>
__global__ void pairs(const float2* __restrict__ v, float* __restrict__ out, int first, int last) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= last) return;
    const auto [a, b] = v[i];
    out[i] = fmaxf(a, b);
}
cudaError_t launch_largest_of_pair(const float* values, float* largest, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    cudaStream_t side;
    cudaEvent_t begun, done;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    const auto* pairs_of = reinterpret_cast<const float2*>(values);
    const int half = n / 2;
    cudaEventRecord(begun, stream);
    cudaStreamWaitEvent(side, begun, 0);
    if (half) pairs<<<(half + 127) / 128, 128, 0, side>>>(pairs_of, largest, 0, half);
    pairs<<<(n - half + 127) / 128, 128, 0, stream>>>(pairs_of, largest, half, n);
    cudaEventRecord(done, side);
    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(begun);
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
    return cudaGetLastError();
}

//// smoothing.count_above: packed 64-bit atomics
#include <cuda_runtime.h>
// Finished blocks in the upper half, what they have counted in the lower one: one atomic tells the last block all.
__device__ unsigned long long progress = 0;
__global__ void count(const float* __restrict__ v, float t, int* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int found = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x == 0) {
        const unsigned long long own = (1ull << 32) | unsigned(found);
        const unsigned long long before = atomicAdd(&progress, own);
        if ((before >> 32) == gridDim.x - 1) {
            *total += int((before + own) & 0xffffffffu);
            progress = 0;
        }
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    count<<<(n + 255) / 256, 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// heat.heat_sources: ldg and launch bounds
#include <cuda_runtime.h>
__global__ void __launch_bounds__(128, 8)
heat(float* __restrict__ temperature, const float* __restrict__ source, float limit, float dt, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        const float power = __ldg(source + i);
        if (power > 0.0f) temperature[i] = fminf(fmaf(dt, power, temperature[i]), limit);
    }
}
cudaError_t launch_heat_sources(float* temperature, const float* source, float limit, float time_step, int count, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    heat<<<std::min(256, (count + 127) / 128), 128, 0, stream>>>(temperature, source, limit, time_step, count);
    return cudaGetLastError();
}

//// smoothing.smooth: texture object of linear memory
#include <cuda_runtime.h>
__global__ void smooth_kernel(cudaTextureObject_t line, float* __restrict__ after, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float left = tex1Dfetch<float>(line, max(i - 1, 0)), right = tex1Dfetch<float>(line, min(i + 1, n - 1));
    after[i] = 0.25f * left + 0.5f * tex1Dfetch<float>(line, i) + 0.25f * right;
}
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<float*>(before);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = size_t(n) * sizeof(float);
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t line = 0;
    if (auto status = cudaCreateTextureObject(&line, &resource, &description, nullptr)) return status;
    smooth_kernel<<<(n + 255) / 256, 256, 0, stream>>>(line, after, n);
    const cudaError_t status = cudaGetLastError();
    cudaStreamSynchronize(stream);
    cudaDestroyTextureObject(line);
    return status;
}

//// matmul.multiply: double buffered tiles by constexpr if
#include <cuda_runtime.h>
namespace {
template <int M, int N, int K, bool kGuarded>
__global__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows) {
    constexpr int kInner = 48, kColumns = 32;
    __shared__ float left[2][M][K + 1];
    __shared__ float right[2][K][N];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const int row0 = blockIdx.y * M, col0 = blockIdx.x * N;
    auto stage = [&](int buffer, int k0) {
        for (int e = tid; e < M * K; e += threads) {
            const int r = e / K, k = e % K;
            if constexpr (kGuarded) left[buffer][r][k] = row0 + r < rows ? a[(row0 + r) * kInner + k0 + k] : 0.0f;
            else left[buffer][r][k] = a[(row0 + r) * kInner + k0 + k];
        }
        for (int e = tid; e < K * N; e += threads) right[buffer][e / N][e % N] = b[(k0 + e / N) * kColumns + col0 + e % N];
    };
    float sum = 0.0f;
    stage(0, 0);
    for (int k0 = 0, buffer = 0; k0 < kInner; k0 += K, buffer ^= 1) {
        __syncthreads();
        if (k0 + K < kInner) stage(buffer ^ 1, k0 + K);
#pragma unroll
        for (int k = 0; k < K; ++k) sum = fmaf(left[buffer][threadIdx.y][k], right[buffer][k][threadIdx.x], sum);
    }
    const int row = row0 + threadIdx.y;
    if (!kGuarded || row < rows) c[row * kColumns + col0 + threadIdx.x] = sum;
}
}  // namespace
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue;
    if (rows == 0) return cudaSuccess;
    const dim3 block(16, 16), grid(2, (rows + 15) / 16);
    if (rows % 16) gemm<16, 16, 12, true><<<grid, block, 0, stream>>>(a, b, c, rows);
    else gemm<16, 16, 12, false><<<grid, block, 0, stream>>>(a, b, c, rows);
    return cudaGetLastError();
}

//// matmul.multiply: arrays of the library in registers
#include <cuda_runtime.h>
#include <array>
#include <tuple>
__device__ constexpr std::array<int, 4> kOffsets{0, 8, 16, 24};
template <size_t kCount>
__device__ std::array<float, kCount> zeros() { return {}; }
__global__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    auto sums = zeros<4>();
    for (int k = 0; k < 48; ++k) {
        const float left = a[row * 48 + k];
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[j] += left * b[k * 32 + kOffsets[j] + threadIdx.x];
    }
    for (int j = 0; j < 4; ++j) c[row * 32 + kOffsets[j] + threadIdx.x] = sums[j];
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue;
    if (!rows) return cudaSuccess;
    const auto [grid, block] = std::tuple{dim3((rows + 31) / 32), dim3(8, 32)};
    gemm<<<grid, block, 0, stream>>>(a, b, c, rows);
    return cudaGetLastError();
}

//// nbody.step_bodies: tiles of bodies in shared memory
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
__device__ void attract(float3 at, float4 other, float3& pull) {
    const float x = other.x - at.x, y = other.y - at.y, z = other.z - at.z;
    const float r = x * x + y * y + z * z + 0.05f * 0.05f, w = 6.674e-3f * other.w / (r * sqrtf(r));
    pull.x += w * x; pull.y += w * y; pull.z += w * z;
}
template <int kBlock>
__global__ void step(const Body* __restrict__ bodies, Body* __restrict__ next, int count, float dt) {
    __shared__ float4 others[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const Body own = bodies[min(i, count - 1)];
    float3 pull = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < count; start += kBlock) {
        const int j = start + threadIdx.x;
        if (j < count) others[threadIdx.x] = make_float4(bodies[j].position.x, bodies[j].position.y, bodies[j].position.z, bodies[j].mass);
        __syncthreads();
        const int here = min(kBlock, count - start);
        for (int k = 0; k < here; ++k)
            if (start + k != i) attract(own.position, others[k], pull);
        __syncthreads();
    }
    if (i >= count) return;
    Body moved = own;
    moved.velocity.x += pull.x * dt; moved.velocity.y += pull.y * dt; moved.velocity.z += pull.z * dt;
    moved.position.x += moved.velocity.x * dt; moved.position.y += moved.velocity.y * dt; moved.position.z += moved.velocity.z * dt;
    next[i] = moved;
}
cudaError_t launch_step_bodies(const Body* bodies, Body* next_bodies, int count, float time_step, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    step<64><<<(count + 63) / 64, 64, 0, stream>>>(bodies, next_bodies, count, time_step);
    return cudaGetLastError();
}

//// nbody.step_bodies: a warp a body with shuffles
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
__device__ void attract(float3 at, float4 other, float3& pull) {
    const float x = other.x - at.x, y = other.y - at.y, z = other.z - at.z;
    const float r = x * x + y * y + z * z + 0.05f * 0.05f, w = 6.674e-3f * other.w / (r * sqrtf(r));
    pull.x += w * x; pull.y += w * y; pull.z += w * z;
}
__device__ float warp_sum(float x) {
    for (int o = 16; o; o /= 2) x += __shfl_down_sync(0xffffffff, x, o);
    return x;
}
__global__ void step(const Body* __restrict__ bodies, Body* __restrict__ next, int count, float dt) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (i >= count) return;
    float3 pull{};
    for (int j = lane; j < count; j += warpSize) {
        const float3 p = bodies[j].position;
        if (j != i) attract(bodies[i].position, {p.x, p.y, p.z, bodies[j].mass}, pull);
    }
    pull = {warp_sum(pull.x), warp_sum(pull.y), warp_sum(pull.z)};
    if (lane) return;
    Body b = bodies[i];
    b.velocity = {fmaf(pull.x, dt, b.velocity.x), fmaf(pull.y, dt, b.velocity.y), fmaf(pull.z, dt, b.velocity.z)};
    b.position = {fmaf(b.velocity.x, dt, b.position.x), fmaf(b.velocity.y, dt, b.position.y), fmaf(b.velocity.z, dt, b.position.z)};
    next[i] = b;
}
cudaError_t launch_step_bodies(const Body* bodies, Body* next_bodies, int count, float time_step, cudaStream_t stream) {
    if (count <= 0) return cudaSuccess;
    step<<<(count + 7) / 8, 256, 0, stream>>>(bodies, next_bodies, count, time_step);
    return cudaGetLastError();
}

//// heat.diffuse: dynamic shared memory with a halo
#include <cuda_runtime.h>
__global__ void step(const float* __restrict__ t, const float* __restrict__ c, float* __restrict__ next, int rows, int columns, float dt) {
    extern __shared__ float tile[];
    const int width = blockDim.x + 2;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int e = threadIdx.y * blockDim.x + threadIdx.x; e < width * int(blockDim.y + 2); e += blockDim.x * blockDim.y) {
        const int row = min(max(int(blockIdx.y * blockDim.y) + e / width - 1, 0), rows - 1);
        const int column = min(max(int(blockIdx.x * blockDim.x) + e % width - 1, 0), columns - 1);
        tile[e] = t[row * columns + column];
    }
    __syncthreads();
    if (x >= columns || y >= rows) return;
    const float* at = &tile[(threadIdx.y + 1) * width + threadIdx.x + 1];
    next[y * columns + x] = *at + dt * c[y * columns + x] * (at[-width] + at[width] + at[-1] + at[1] - 4.0f * *at);
}
cudaError_t launch_diffuse(const float* temperature, const float* conductivity, float* next_temperature, int rows, int columns, float time_step, cudaStream_t stream) {
    if (!rows || !columns) return cudaSuccess;
    const dim3 block(64, 4), grid((columns + 63) / 64, (rows + 3) / 4);
    step<<<grid, block, 66 * 6 * sizeof(float), stream>>>(temperature, conductivity, next_temperature, rows, columns, time_step);
    return cudaGetLastError();
}

//// smoothing.count_above: coalesced groups by label
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void count(const float* v, float t, int* total, int n) {
    const unsigned i = cg::this_grid().thread_rank();
    if (i >= n || !(v[i] > t)) return;
    const auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(total, int(active.size()));
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    count<<<(n + 191) / 192, 192, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.smooth: shuffles with the edges from memory
#include <cuda_runtime.h>
__global__ void smooth_kernel(const float* __restrict__ before, float* __restrict__ after, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const float own = i < n ? before[i] : before[n - 1];
    float left = __shfl_up_sync(~0u, own, 1), right = __shfl_down_sync(~0u, own, 1);
    if (lane == 0) left = before[min(max(i - 1, 0), n - 1)];
    if (lane == 31) right = before[min(i + 1, n - 1)];
    if (i < n) after[i] = fmaf(0.25f, left + right, 0.5f * own);
}
cudaError_t launch_smooth(const float* before, float* after, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    smooth_kernel<<<(n + 511) / 512, 512, 0, stream>>>(before, after, n);
    return cudaGetLastError();
}

//// heat.heat_sources: three dimensions and float4
#include <cuda_runtime.h>
__device__ __forceinline__ float heated(float t, float p, float limit, float dt) { return p <= 0.0f ? t : fminf(t + dt * p, limit); }
__global__ void quads(float4* t, const float4* s, float limit, float dt, int count) {
    const int i = (blockIdx.z * gridDim.y * gridDim.x + blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float4 q = t[i];
    const float4 p = s[i];
    q.x = heated(q.x, p.x, limit, dt), q.y = heated(q.y, p.y, limit, dt), q.z = heated(q.z, p.z, limit, dt), q.w = heated(q.w, p.w, limit, dt);
    t[i] = q;
}
__global__ void rest(float* t, const float* s, float limit, float dt, int first, int count) {
    const int i = first + threadIdx.x;
    if (i < count) t[i] = heated(t[i], s[i], limit, dt);
}
cudaError_t launch_heat_sources(float* temperature, const float* source, float limit, float time_step, int count, cudaStream_t stream) {
    const int whole = count / 4;
    if (whole) {
        const int blocks = (whole + 127) / 128, side = 1 + int(cbrtf(float(blocks)));
        const dim3 grid(side, side, (blocks + side * side - 1) / (side * side));
        quads<<<grid, 128, 0, stream>>>(reinterpret_cast<float4*>(temperature), reinterpret_cast<const float4*>(source), limit, time_step, whole);
    }
    if (count % 4) rest<<<1, 4, 0, stream>>>(temperature, source, limit, time_step, 4 * whole, count);
    return cudaGetLastError();
}

//// nbody.kinetic_energy: structs staged as words
#include <cuda_runtime.h>
struct Body { float3 position, velocity; float mass; };
constexpr int kWords = sizeof(Body) / sizeof(float), kBlock = 128;
static_assert(kWords == 7, "no padding");
__global__ void energies(const float* __restrict__ words, float* __restrict__ energy, int n) {
    __shared__ float staged[kBlock * kWords];
    const int first = blockIdx.x * kBlock;
    for (int e = threadIdx.x; e < kBlock * kWords; e += kBlock)
        if (first * kWords + e < n * kWords) staged[e] = words[first * kWords + e];
    __syncthreads();
    const int i = first + threadIdx.x;
    if (i >= n) return;
    const float* own = staged + threadIdx.x * kWords;  // seven is odd: no bank conflicts
    energy[i] = 0.5f * own[6] * (own[3] * own[3] + own[4] * own[4] + own[5] * own[5]);
}
cudaError_t launch_kinetic_energy(const Body* bodies, float* energy, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    energies<<<(n + kBlock - 1) / kBlock, kBlock, 0, stream>>>(reinterpret_cast<const float*>(bodies), energy, n);
    return cudaGetLastError();
}

//// smoothing.count_above: blocks in a chain
#include <cuda_runtime.h>
// Block k waits for the sum of block k - 1 (a decoupled look-back in its simplest form); tickets keep the order.
struct Chain { unsigned ticket; int sums[1]; };
__global__ void count(const float* v, float t, int* total, int n, unsigned* ticket, volatile int* sums) {
    __shared__ unsigned block;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
    __syncthreads();
    const int i = block * blockDim.x + threadIdx.x;
    const int found = __syncthreads_count(i < n && v[i] > t);
    if (threadIdx.x) return;
    int before = 0;
    if (block > 0) {
        while ((before = sums[block - 1]) < 0) __nanosleep(20);
    }
    sums[block] = before + found;
    if (block == gridDim.x - 1) *total += before + found;
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    const int blocks = (n + 255) / 256;
    int* memory = nullptr;
    if (auto status = cudaMallocAsync(&memory, (blocks + 1) * sizeof(int), stream)) return status;
    cudaMemsetAsync(memory, 0, sizeof(int), stream);
    cudaMemsetAsync(memory + 1, 0xff, blocks * sizeof(int), stream);
    count<<<blocks, 256, 0, stream>>>(values, threshold, total, n, reinterpret_cast<unsigned*>(memory), memory + 1);
    cudaFreeAsync(memory, stream);
    return cudaGetLastError();
}

//// matmul.sum_rows: sixty kilobytes of shared memory
#include <cuda_runtime.h>
__global__ void rows_kernel(const float* __restrict__ m, float* __restrict__ s, int rows) {
    extern __shared__ float panel[];  // 240 rows of 65
    const int first = blockIdx.x * 240, here = min(240, rows - first);
    for (int e = threadIdx.x; e < here * 64; e += blockDim.x) panel[e / 64 * 65 + e % 64] = m[first * 64 + e];
    __syncthreads();
    if (threadIdx.x >= here) return;
    float sum = 0.0f, lost = 0.0f;
    for (int c = 0; c < 64; ++c) {
        const float y = panel[threadIdx.x * 65 + c] - lost, next = sum + y;
        lost = (next - sum) - y;
        sum = next;
    }
    s[first + threadIdx.x] = sum;
}
cudaError_t launch_sum_rows(const float* matrix, float* sums, int rows, cudaStream_t stream) {
    if (!rows) return cudaSuccess;
    constexpr int kBytes = 240 * 65 * sizeof(float);
    if (auto status = cudaFuncSetAttribute(rows_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes)) return status;
    rows_kernel<<<(rows + 239) / 240, 256, kBytes, stream>>>(matrix, sums, rows);
    return cudaGetLastError();
}

//// smoothing.largest_of_pair: largest potential block
#include <cuda_runtime.h>
#include <cuda/functional>
__global__ void pairs(const float* __restrict__ v, float* __restrict__ out, int n) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = cuda::maximum<float>{}(__ldcs(v + 2 * i), __ldcs(v + 2 * i + 1));
}
cudaError_t launch_largest_of_pair(const float* values, float* largest, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    int grid = 0, block = 0;
    if (auto status = cudaOccupancyMaxPotentialBlockSize(&grid, &block, pairs, 0, 0)) return status;
    pairs<<<std::min(grid, (n + block - 1) / block), block, 0, stream>>>(values, largest, n);
    return cudaGetLastError();
}

//// matmul.multiply: vectors of two halves of a row
#include <cuda_runtime.h>
#include <cstdint>
// Each thread has four columns of two rows; b goes through constant-size shared memory, whole.
struct alignas(16) Quad {
    float v[4] = {};
    __device__ Quad& fma(float s, const Quad& o) { for (int j = 0; j < 4; ++j) v[j] = fmaf(s, o.v[j], v[j]); return *this; }
};
__global__ void __launch_bounds__(64) gemm(const float* __restrict__ a, const Quad* __restrict__ b, Quad* __restrict__ c, int rows) {
    __shared__ Quad whole[48 * 8];
    for (unsigned e = threadIdx.x; e < 48u * 8u; e += blockDim.x) whole[e] = b[e];
    __syncthreads();
    const int row = 2 * (blockIdx.x * 8 + threadIdx.x / 8), quad = threadIdx.x % 8;
    if (row >= rows) return;
    const bool both = row + 1 < rows;
    Quad upper, lower;
#pragma unroll 4
    for (int k = 0; k < 48; ++k) {
        const Quad& right = whole[k * 8 + quad];
        upper.fma(a[row * 48 + k], right);
        if (both) lower.fma(a[(row + 1) * 48 + k], right);
    }
    c[row * 8 + quad] = upper;
    if (both) c[(row + 1) * 8 + quad] = lower;
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (inner != 48 || columns != 32) return cudaErrorInvalidValue;
    if (!rows) return cudaSuccess;
    gemm<<<(rows + 15) / 16, 64, 0, stream>>>(a, reinterpret_cast<const Quad*>(b), reinterpret_cast<Quad*>(c), rows);
    return cudaGetLastError();
}

//// smoothing.count_above: block scan and histogram of CUB
#include <cuda_runtime.h>
#include <cub/cub.cuh>
template <int kThreads, int kItems>
__global__ void count(const float* v, float t, int* total, int n) {
    using Load = cub::BlockLoad<float, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, kThreads>;
    __shared__ union { typename Load::TempStorage load; typename Scan::TempStorage scan; } temp;
    const int first = blockIdx.x * kThreads * kItems;
    float items[kItems];
    Load(temp.load).Load(v + first, items, n - first, t);
    __syncthreads();
    int flags[kItems], aggregate = 0;
    for (int k = 0; k < kItems; ++k) flags[k] = items[k] > t;
    Scan(temp.scan).ExclusiveSum(flags, flags, aggregate);
    if (threadIdx.x == 0) atomicAdd(total, aggregate);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    count<128, 4><<<(n + 511) / 512, 128, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// smoothing.count_above: named barriers and polymorphic policies
#include <cuda_runtime.h>
#include <type_traits>
struct Above { float t; __device__ bool operator()(float x) const { return x > t; } };
template <class Test, class... Tests>
struct All : Test, All<Tests...> {
    __device__ All(Test first, Tests... others) : Test(first), All<Tests...>(others...) {}
    __device__ bool operator()(float x) const { return Test::operator()(x) && All<Tests...>::operator()(x); }
};
template <class Test>
struct All<Test> : Test { __device__ All(Test one) : Test(one) {} using Test::operator(); };
template <unsigned kBlock, typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__global__ void count(const T* __restrict__ v, T t, int* total, int n) {
    __shared__ int warps[kBlock / 32];
    const All<Above> test{Above{t}};
    int mine = 0;
    for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < unsigned(n); i += gridDim.x * kBlock) mine += int(test(v[i]));
    const unsigned vote = __match_any_sync(~0u, mine);
    const int leader = __ffs(vote) - 1;
    int sum = int(threadIdx.x % 32) == leader ? mine * __popc(vote) : 0;
#pragma unroll
    for (unsigned o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < kBlock / 32 ? warps[threadIdx.x] : 0;
        for (int o = kBlock / 64; o > 0; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
        if (threadIdx.x == 0) atomicAdd_system(total, sum);
    }
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    count<256><<<std::min(40, (n + 255) / 256), 256, 0, stream>>>(values, threshold, total, n);
    return cudaGetLastError();
}

//// histogram.count_values: bins of a block, occupancy and a PTX reduction
#include <cuda_runtime.h>
constexpr int kBins = 64;
__device__ __forceinline__ void add(int* to, int value) { asm volatile("red.global.add.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory"); }
__global__ void __launch_bounds__(256, 4) histogram(const float* __restrict__ values, int* __restrict__ counts, float low, float high, int n) {
    __shared__ int bins[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    const float width = high - low;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int b = __float2int_rd((values[i] - low) / width * float(kBins));
        atomicAdd_block(&bins[max(0, min(b, kBins - 1))], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) if (bins[b]) add(counts + b, bins[b]);
}
cudaError_t launch_count_values(const float* values, int* counts, float low, float high, int n, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    int grid = 0, block = 0, per = 0, sms = 0;
    if (auto e = cudaOccupancyMaxPotentialBlockSize(&grid, &block, histogram, 0, 256)) return e;
    if (auto e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, histogram, block, 0)) return e;
    if (auto e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0)) return e;
    histogram<<<min(per * sms, (n + block - 1) / block), block, 0, stream>>>(values, counts, low, high, n);
    return cudaGetLastError();
}

//// histogram.bin_extremes: equal labels of a warp
#include <cuda_runtime.h>
__global__ void extremes(const int* labels, const int* values, int* smallest, int* largest, int n, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? labels[i] : -1;
    const bool valid = unsigned(label) < unsigned(m);
    const unsigned group = __match_any_sync(0xffffffffu, valid ? label : -1);
    const int low = __reduce_min_sync(group, valid ? values[i] : 0x7fffffff), high = __reduce_max_sync(group, valid ? values[i] : int(0x80000000));
    if (valid && __ffs(group) - 1 == int(threadIdx.x % 32)) { atomicMin(smallest + label, low); atomicMax(largest + label, high); }
}
cudaError_t launch_bin_extremes(const int* labels, const int* values, int* smallest, int* largest, int n, int num_labels, cudaStream_t stream) {
    if (n <= 0) return cudaSuccess;
    extremes<<<(n + 255) / 256, 256, 0, stream>>>(labels, values, smallest, largest, n, num_labels);
    return cudaGetLastError();
}

//// smoothing.smooth_and_search: all steps in one cooperative kernel
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void all_steps(float* u, float* v, float threshold, int* total, float* largest, int points, int n) {
    cg::grid_group grid = cg::this_grid();
    const int first = grid.thread_rank(), step = grid.size();
    float *from = u, *to = v;
    for (int pass = 0; pass < 6; ++pass) {
        for (int i = first; i < points; i += step) to[i] = 0.25f * (from[max(i - 1, 0)] + from[min(i + 1, points - 1)]) + 0.5f * from[i];
        grid.sync();
        float* t = from; from = to; to = t;
    }
    if (first == 0) *total = 0;
    for (int i = first; i < n; i += step) largest[i] = fmaxf(u[2 * i], u[2 * i + 1]);
    grid.sync();
    int count = 0;
    for (int i = first; i < points; i += step) count += u[i] > threshold;
    if (count) atomicAdd(total, count);
}
cudaError_t launch_smooth_and_search(float* u, float* v, float threshold, int* total, float* largest, int points, int n, cudaStream_t stream) {
    int device = 0, sms = 0, per = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, all_steps, 128, 0);
    void* arguments[] = {&u, &v, &threshold, &total, &largest, &points, &n};
    return cudaLaunchCooperativeKernel((const void*)all_steps, dim3(sms * (per < 2 ? per : 2)), dim3(128), arguments, 0, stream);
}

//// matmul.multiply: parts of the sums by atomics onto zeros
#include <cuda_runtime.h>
__global__ void split_k(const float* __restrict__ a, const float* __restrict__ b, float* c, int inner, int rows, int columns) {
    __shared__ float as[16][17], bs[16][17];
    const int r = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, k0 = blockIdx.z * 16;
    as[threadIdx.y][threadIdx.x] = r < rows && k0 + threadIdx.x < inner ? a[r * inner + k0 + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = col < columns && k0 + threadIdx.y < inner ? b[(k0 + threadIdx.y) * columns + col] : 0.f;
    __syncthreads();
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 16; ++k) s += as[threadIdx.y][k] * bs[k][threadIdx.x];
    if (r < rows && col < columns) atomicAdd(&c[r * columns + col], s);
}
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns, cudaStream_t stream) {
    if (auto e = cudaMemset2DAsync(c, columns * sizeof(float), 0, columns * sizeof(float), rows, stream)) return e;
    split_k<<<dim3((columns + 15) / 16, (rows + 15) / 16, (inner + 15) / 16), dim3(16, 16), 0, stream>>>(a, b, c, inner, rows, columns);
    return cudaGetLastError();
}

//// smoothing.largest_of_pair: by a comparison
#include <cuda_runtime.h>
template <typename T> __device__ constexpr const T& larger(const T& a, const T& b) { return a > b ? a : b; }
__global__ void pairs(const float2* __restrict__ values, float* __restrict__ largest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { const float2 v = values[i]; largest[i] = larger(v.x, v.y); }
}
cudaError_t launch_largest_of_pair(const float* values, float* largest, int thread_count, cudaStream_t stream) {
    if (thread_count > 0) pairs<<<(thread_count + 63) / 64, 64, 0, stream>>>(reinterpret_cast<const float2*>(values), largest, thread_count);
    return cudaGetLastError();
}

//// smoothing.count_above: a scan of the block with a prefix callback
#include <cub/cub.cuh>
#include <cuda_runtime.h>
struct Running {
    int total;
    __device__ int operator()(int all) {
        const int before = total;
        total += all;
        return before;
    }
};
__global__ void scan(const float* values, float threshold, int* total, int n) {
    using Scan = cub::BlockScan<int, 256>;
    __shared__ typename Scan::TempStorage temp;
    Running running{0};
    int seen = 0;
    for (int base = 0; base < n; base += 256) {
        const int i = base + threadIdx.x;
        int above = i < n && values[i] > threshold;
        Scan(temp).InclusiveSum(above, seen, running);
        __syncthreads();
    }
    if (threadIdx.x == 255) atomicAdd(total, seen);
}
cudaError_t launch_count_above(const float* values, float threshold, int* total, int thread_count, cudaStream_t stream) {
    if (thread_count > 0) scan<<<1, 256, 0, stream>>>(values, threshold, total, thread_count);
    return cudaGetLastError();
}

//// smoothing.count_above: two streams count into one total by atomics
#include <cuda_runtime.h>
__global__ void count(const float* values, float threshold, int* total, int first, int last) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < last && values[i] > threshold) atomicAdd(total, 1);
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
    count<<<half / 256 + 1, 256, 0, side>>>(values, threshold, total, 0, half);
    count<<<half / 256 + 1, 256, 0, stream>>>(values, threshold, total, half, thread_count);
    cudaEventRecord(done, side);
    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(begun);
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
    return cudaGetLastError();
}
