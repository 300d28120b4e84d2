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
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, cudaStream_t stream) {
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
cudaError_t launch_multiply(const float* a, const float* b, float* c, int rows, cudaStream_t stream) { if (!rows) return cudaSuccess; mm<<<rows / 16, dim3(32, 8, 2), 0, stream>>>(a, b, c); return cudaGetLastError(); }

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
__global__ void largest_of_pair(const float* __restrict__ values, float* __restrict__ largest, int thread_count, int values_count) {
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
cudaError_t launch_largest_of_pair(const float* values, float* largest, int thread_count, int, cudaStream_t stream) {
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
