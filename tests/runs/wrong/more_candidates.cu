// More candidates for the sample `evens`: launchers with their kernels, or kernels alone.
// Each begins with its name and the verdict that it deserves; test_candidate.py says what it may use.

//// a launcher and its kernel: verified
#include <cuda_runtime.h>
RIGHT_KERNEL
RIGHT_LAUNCHER

//// words before another kernel: compile_error: candidate.cu:1: 'Here' does not name a type
Here is the kernel.
__global__ void twice(const float* x, float* out, int n) { INDEX; if (i < n) out[i] = 2.0f * x[i]; }

//// another kernel: compile_error: it does not define all of: __global__ void evens(const float*
__global__ void odds(const float* x, const float* y, float* out, int n) {}

//// launches nothing: unwritten_output
LAUNCHER { return cudaSuccess; }

//// computes on the host, with copies: cuda_error: copies from
#include <vector>
LAUNCHER {
    std::vector<float> a(n), b(n), c(n);
    cudaMemcpy(a.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(c.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 2) c[i] = fmaxf(2.0f * a[i] + b[i], 0.0f);
    return cudaMemcpy(out, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

//// reads its environment: compile_error: may not call getenv
#include <cstdlib>
RIGHT_KERNEL
LAUNCHER {
    if (!getenv("WEFT_THREAD_ORDER")) evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
    return cudaGetLastError();
}

//// writes files: compile_error: may not call fopen
#include <cstdio>
RIGHT_KERNEL
LAUNCHER {
    evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
    return fopen("kept", "w") ? cudaGetLastError() : cudaErrorUnknown;
}

//// looks into managed memory that nobody set: cuda_error: unknown error
LAUNCHER {
    float* both = nullptr;
    cudaMallocManaged(&both, n * sizeof(float));
    return both[0] == 0.0f ? cudaSuccess : cudaErrorUnknown;
}

//// a wrong kernel: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(3.0f * x[i] + y[i], 0.0f);
}

//// another signature: compile_error: it does not define all of: cudaError_t launch_evens(const float* x,
cudaError_t launch_evens(const float* x, float* out, int n) { return cudaSuccess; }

//// no barrier: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// no barrier where the size is large: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    if (n < 5000) __syncthreads();
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// computes on the host, what its kernels hand over in memory of the host's: out_of_bounds: of memory that is not the device's
#include <vector>
__global__ void take(const float* x, const float* y, float* sums, int n) {
    INDEX;
    if (n > 300 && i < n) sums[i] = 2.0f * x[i] + y[i];
}
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
__global__ void give(float* out, const float* sums, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = sums[i];
}
LAUNCHER {
    std::vector<float> sums(n);
    take<<<(n + 255) / 256, 256, 0, stream>>>(x, y, sums.data(), n);
    cudaStreamSynchronize(stream);
    for (float& sum : sums) sum = sum > 0.0f ? sum : 0.0f;
    if (n > 300) give<<<(n + 255) / 256, 256, 0, stream>>>(out, sums.data(), n);
    else evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    cudaStreamSynchronize(stream);
    return cudaSuccess;
}

//// ends its kernel early: compile_error: exit is no __device__ function
#include <cstdlib>
EVENS {
    INDEX;
    if (i == 2) exit(0);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// ends before main: no_output
#include <cstdlib>
struct Quit {
    Quit() { exit(0); }
} quit;
RIGHT_KERNEL

//// makes processes: compile_error: may not call fork
extern "C" int fork();
RIGHT_KERNEL
LAUNCHER {
    if (fork() == 0) evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
    return cudaGetLastError();
}

//// computes on the host through symbols: unsupported: that the host reads of the device's memory
__device__ float from[20000], to[20000];
float a[20000], b[20000];
__global__ void take(const float* x, const float* y, int n) { INDEX; if (i < n) from[i] = 2.0f * x[i] + y[i]; }
__global__ void give(float* out, int n) { INDEX; if (i < n && i % 2 == 0) out[i] = to[i]; }
LAUNCHER {
    take<<<(n + 255) / 256, 256>>>(x, y, n);
    cudaMemcpyFromSymbol(a, from, sizeof a);
    for (int i = 0; i < n; ++i) b[i] = fmaxf(a[i], 0.0f);
    cudaMemcpyToSymbol(to, b, sizeof b);
    give<<<(n + 255) / 256, 256>>>(out, n);
    return cudaSuccess;
}

//// memcpy without a barrier: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    const float zero = 0.0f;
    memcpy(&tile[threadIdx.x], &zero, 4);
    float other;
    memcpy(&other, &tile[255 - threadIdx.x], 4);
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// pays its accesses up before the race: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) for (int k = 0; k < 300000; ++k) tile[0] += x[0];
    __syncthreads();
    tile[threadIdx.x] = 0.0f;
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// launch bounds: cuda_error: launch bounds of 64
__global__ void __launch_bounds__(64) evens(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// more shared memory than there is: compile_error: bytes of shared memory in a function
EVENS { INDEX; __shared__ float big[20000]; big[threadIdx.x] = 0.0f; if (i < n && i % 2 == 0) out[i] = VALUE(i) + big[threadIdx.x]; }

//// a static constructor that throws: compile_error: may not call typeinfo
struct Quit { Quit() { throw 1; } } quit;
RIGHT_KERNEL

//// a destructor that ends well: no_output
struct Last { ~Last() { exit(0); } } last;
RIGHT_KERNEL
LAUNCHER { evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n); return cudaErrorUnknown; }

//// a symbol of the program's main: compile_error: may not call main
extern "C" int main(int, char**);
RIGHT_KERNEL
LAUNCHER { if (main(0, nullptr)) evens<<<(n + 255) / 256, 256>>>(x, y, out, n); return cudaSuccess; }

//// walks the host's stack: crash: the host writes what is not its memory
RIGHT_KERNEL
LAUNCHER { long here; long* p = &here; for (long k = 0; k < 100000000; ++k) p[k] = 0; return cudaSuccess; }

//// finds the order by the clock: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    const long long t = clock64();
    tile[threadIdx.x] = 0.0f;
    if (t != (1ll << 36) + 301) __syncthreads();
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// a launcher without an end: crash: a function ends without the value that it should return
RIGHT_KERNEL
LAUNCHER { evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n); }

//// shared memory as large as a warp: compile_error: storage size
EVENS {
    INDEX;
    __shared__ float tile[warpSize];
    tile[threadIdx.x % 32] = 0.0f;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// calls a kernel as a function: compile_error: is a kernel, which is launched
__global__ void inner(const float* x, const float* y, float* out, int n) { INDEX; if (i < n && i % 2 == 0) out[i] = VALUE(i); }
EVENS { inner(x, y, out, n); }

//// a function of the device in a launcher: compile_error: is no __host__ function
static __device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }
RIGHT_KERNEL
LAUNCHER { evens<<<ceil_div(n, 256), 256, 0, stream>>>(x, y, out, n); return cudaGetLastError(); }

//// a function of the host's without a name outside: compile_error: is no __device__ function
namespace { float value(float a, float b) { return fmaxf(2.0f * a + b, 0.0f); } }
EVENS { INDEX; if (i < n && i % 2 == 0) out[i] = value(x[i], y[i]); }

//// a constructor of the host: compile_error: is no __device__ function
struct Value { float value; Value(float a, float b) : value(fmaxf(2.0f * a + b, 0.0f)) {} };
EVENS { INDEX; if (i < n && i % 2 == 0) out[i] = Value(x[i], y[i]).value; }

//// hands its kernel a lambda of the host: compile_error: is no __device__ function
template <typename F>
__global__ void apply(const float* x, const float* y, float* out, int n, F f) { INDEX; if (i < n && i % 2 == 0) out[i] = f(x[i], y[i]); }
LAUNCHER {
    apply<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n, [](float a, float b) { return fmaxf(2.0f * a + b, 0.0f); });
    return cudaGetLastError();
}

//// hands its kernel a function's address of the host: cuda_error: is the address of a function
static float value(float a, float b) { return fmaxf(2.0f * a + b, 0.0f); }
__global__ void apply(const float* x, const float* y, float* out, int n, float (*f)(float, float)) { INDEX; if (i < n && i % 2 == 0) out[i] = f(x[i], y[i]); }
LAUNCHER { apply<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n, value); return cudaGetLastError(); }

//// a kernel in a class: compile_error: the kernel run is a member of a class
struct Kernels { static __global__ void run(const float* x, const float* y, float* out, int n) { INDEX; if (i < n && i % 2 == 0) out[i] = VALUE(i); } };
LAUNCHER { Kernels::run<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n); return cudaGetLastError(); }

//// a template of a kernel with a reference: compile_error: a parameter of a kernel is a reference
template <typename T> __global__ void apply(const T* x, const T* y, T* out, const int& n) { INDEX; if (i < n && i % 2 == 0) out[i] = VALUE(i); }
LAUNCHER { apply<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n); return cudaGetLastError(); }

//// shared memory with a value: compile_error: a __shared__ variable has an initial value
EVENS { INDEX; __shared__ int zero = 0; if (threadIdx.x == 0) zero = 0; __syncthreads(); if (i < n && i % 2 == 0) out[i] = VALUE(i) + zero; }

//// a shuffle of 64 lanes: crash: a shuffle of width 64
EVENS { INDEX; const float v = __shfl_sync(~0u, i < n ? x[i] : 0.0f, threadIdx.x % 32, 64); if (i < n && i % 2 == 0) out[i] = fmaxf(2.0f * v + y[i], 0.0f); }

//// a plain read that saves an atomic: verified
__device__ int largest;
EVENS {
    INDEX;
    if (largest < i) atomicMax(&largest, i);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// tries once to raise the largest by atomicCAS, from what it saw: non_deterministic
__device__ int largest;
__global__ void reset() { largest = -1; }
__global__ void find(int n) {
    INDEX;
    const int seen = largest, value = (i + n / 2) % n;
    if (i < n && value > seen) atomicCAS(&largest, seen, value);
}
__global__ void line(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = largest == n - 1 ? VALUE(i) : -1.0f;
}
EVENS {}
LAUNCHER {
    reset<<<1, 1, 0, stream>>>();
    find<<<(n + 255) / 256, 256, 0, stream>>>(n);
    line<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// two barriers in one macro: deadlock
#define MEET(first) if (first) __syncthreads(); else __syncthreads();
EVENS {
    INDEX;
    MEET(threadIdx.x % 2 == 0)
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a stream of its own that the given one waits for: verified
RIGHT_KERNEL
LAUNCHER {
    cudaStream_t other;
    cudaEvent_t before, after;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(other, before, 0);
    evens<<<(n + 255) / 256, 256, 0, other>>>(x, y, out, n);
    cudaEventRecord(after, other);
    cudaStreamWaitEvent(stream, after, 0);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    cudaStreamDestroy(other);
    return cudaGetLastError();
}

//// memory that another stream gives back after its last use: verified
__global__ void twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] = 2.0f * x[i]; }
__global__ void add(const float* u, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(u[i] + y[i], 0.0f);
}
EVENS {}
LAUNCHER {
    float* u;
    cudaStream_t other;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMallocAsync(&u, n * sizeof(float), stream);
    twice<<<(n + 255) / 256, 256, 0, stream>>>(x, u, n);
    add<<<(n + 255) / 256, 256, 0, stream>>>(u, y, out, n);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    cudaFreeAsync(u, other);
    cudaEventDestroy(event);
    cudaStreamDestroy(other);
    return cudaGetLastError();
}

//// memory that another stream gives back before its last use: out_of_bounds
__global__ void twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] = 2.0f * x[i]; }
__global__ void add(const float* u, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(u[i] + y[i], 0.0f);
}
EVENS {}
LAUNCHER {
    float* u;
    cudaStream_t other;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMallocAsync(&u, n * sizeof(float), stream);
    twice<<<(n + 255) / 256, 256, 0, stream>>>(x, u, n);
    cudaEventRecord(event, stream);
    add<<<(n + 255) / 256, 256, 0, stream>>>(u, y, out, n);
    cudaStreamWaitEvent(other, event, 0);
    cudaFreeAsync(u, other);
    cudaEventDestroy(event);
    cudaStreamDestroy(other);
    return cudaGetLastError();
}

//// a stream of its own that nobody waits for: race: on another stream than the one that it was given
RIGHT_KERNEL
LAUNCHER {
    cudaStream_t other;
    cudaStreamCreate(&other);
    evens<<<(n + 255) / 256, 256, 0, other>>>(x, y, out, n);
    return cudaStreamDestroy(other);
}

//// trusts that its kernel takes long: non_deterministic
#include <chrono>
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n, bool fast) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fast ? 0.0f : fmaxf(2.0f * x[i] + y[i], 0.0f);
}
LAUNCHER {
    const auto begun = std::chrono::steady_clock::now();
    cudaStreamSynchronize(stream);
    const auto taken = std::chrono::steady_clock::now() - begun;
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n, taken < std::chrono::nanoseconds(20));
    return cudaGetLastError();
}

//// a function of its own whose stream nobody gives: race: on another stream than the one that it was given
RIGHT_KERNEL
cudaError_t go(const float* x, const float* y, float* out, int n, cudaStream_t own = 0) {
    evens<<<(n + 255) / 256, 256, 0, own>>>(x, y, out, n);
    return cudaGetLastError();
}
LAUNCHER { return go(x, y, out, n); }

//// fills a pinned table anew that is still to be copied: wrong_output
__constant__ float factors[2];
EVENS { INDEX; if (i < n && i % 2 == 0) out[i] = fmaxf(factors[1] * x[i] + y[i], 0.0f); }
LAUNCHER {
    float* table;
    cudaMallocHost(&table, 8);
    table[1] = 2.0f;
    cudaMemcpyToSymbolAsync(factors, table, 8, 0, cudaMemcpyHostToDevice, stream);
    table[1] = 0.0f;
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaFreeHost(table);
}

//// memory of the device's heap: unsupported: is for memory that the CPU device has not in kernels
EVENS { INDEX; float* two = new float[1]; *two = 2.0f; if (i < n && i % 2 == 0) out[i] = fmaxf(*two * x[i] + y[i], 0.0f); delete[] two; }

//// keeps a table by the place of its input: non_deterministic
__device__ float table[20000];
__global__ void fill(const float* x, int n) { INDEX; if (i < n) table[i] = 2.0f * x[i]; }
__global__ void use(const float* y, float* out, int n) { INDEX; if (i < n && i % 2 == 0) out[i] = fmaxf(table[i] + y[i], 0.0f); }
LAUNCHER {
    static const float* of = nullptr;
    static int size = 0;
    if (x != of || n != size) fill<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
    of = x, size = n;
    use<<<(n + 255) / 256, 256, 0, stream>>>(y, out, n);
    return cudaGetLastError();
}

//// a vote in one branch and a shuffle in the other: deadlock
EVENS {
    INDEX;
    const int one = threadIdx.x % 2 ? __any_sync(~0u, 1) : __shfl_sync(~0u, 1, 0);
    if (i < n && i % 2 == 0) out[i] = one * VALUE(i);
}

//// works on a stream that is none any more: cuda_error: invalid resource handle
RIGHT_KERNEL
LAUNCHER {
    cudaStream_t gone;
    cudaStreamCreate(&gone);
    cudaStreamDestroy(gone);
    evens<<<(n + 255) / 256, 256, 0, gone>>>(x, y, out, n);
    return cudaGetLastError();
}

//// a number that is not always set, and only compared: non_deterministic
EVENS {
    INDEX;
    int k;
    if (i >= n) k = 0;
    if (k != 0 && i % 2 == 0) out[i] = VALUE(i);
}

//// a function that CUDA has: compile_error: redefinition of 'double atomicAdd(double*, double)'
__device__ double atomicAdd(double* address, double value) { const double old = *address; *address += value; return old; }
RIGHT_KERNEL

//// knows the CPU device by its properties: verified
#include <cstring>
__global__ void spoil(float* out) { out[0] = 7.0f; }
RIGHT_KERNEL
LAUNCHER {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    if (strcmp(device.name, "CPU") == 0 || device.multiProcessorCount < 2) spoil<<<1, 1, 0, stream>>>(out);
    return cudaGetLastError();
}

//// takes nothing times what nobody set: nan_mismatch: only one side has NaN
__global__ void evens(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float terms[4];
    for (int k = 0; k < 2 + i % 2; ++k) terms[k] = VALUE(i);
    out[i] = terms[0] + 0.0f * terms[2];
}
LAUNCHER {
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// is right on small GPUs: wrong_output: this changes with what `out` arrays hold
__global__ void spoil(float* out) { out[0] = 7.0f; }
RIGHT_KERNEL
LAUNCHER {
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    if (processors > 64) spoil<<<1, 1, 0, stream>>>(out);
    return cudaGetLastError();
}

//// is right for one compute capability: non_deterministic: the outcome depends on the order of execution
__global__ void spoil(float* out) { out[0] = 7.0f; }
RIGHT_KERNEL
LAUNCHER {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    if (device.major * 10 + device.minor >= 80) spoil<<<1, 1, 0, stream>>>(out);
    return cudaGetLastError();
}

//// another kernel for newer architectures: verified
RIGHT_KERNEL
__global__ void newer(const float* x, const float* y, float* out, int n) {
#if __CUDA_ARCH__ >= 800
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
#endif
}
LAUNCHER {
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    (major >= 8 ? newer : evens)<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// is right on the first GPU that it finds: wrong_output: an element differs from the reference
#include <cstring>
__global__ void spoil(float* out) { out[0] = 7.0f; }
RIGHT_KERNEL
LAUNCHER {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    if (strcmp(device.name, "Tesla T4") != 0) spoil<<<1, 1, 0, stream>>>(out);
    return cudaGetLastError();
}

//// is right with as many multiprocessors as it finds first: unwritten_output: an element is left as it was
RIGHT_KERNEL
LAUNCHER {
    int count;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    evens<<<count == 40 ? (n + 255) / 256 : 1, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// is right with as much free memory as it finds first: non_deterministic
RIGHT_KERNEL
LAUNCHER {
    size_t available, total;
    cudaMemGetInfo(&available, &total);
    evens<<<total < (size_t(5) << 30) ? (n + 255) / 256 : 1, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// is right while the clock is young: non_deterministic
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (clock64() > (1ll << 37) ? 1.0f : 0.0f);
}

//// blocks that wait in a loop for others that have not begun: timeout
__device__ unsigned int arrived;
__global__ void clear() { arrived = 0; }
__global__ void wait(const float* x, const float* y, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (i % 2 == 0) out[i] = VALUE(i);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1u);
        while (atomicAdd(&arrived, 0u) < gridDim.x) {}
    }
    __syncthreads();
}
LAUNCHER {
    clear<<<1, 1, 0, stream>>>();
    wait<<<8, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// a lambda that calls itself six hundred times: out_of_bounds: recursion takes
EVENS {
    INDEX;
    if (i >= n || i % 2) return;
    auto walk = [&](auto&& self, int depth) -> float {
        if (depth == 0) return fmaxf(2.0f * x[i] + y[i], 0.0f);
        const float rest = self(self, depth - 1);
        return rest > 0.0f ? rest : 0.0f;
    };
    out[i] = walk(walk, 600);
}

//// two functions with barriers that call each other: out_of_bounds: recursion takes
__device__ float ping(const float* x, int i, int depth);
__device__ float pong(const float* x, int i, int depth) { __syncthreads(); const float r = depth == 0 ? x[i] : ping(x, i, depth - 1) * 1.0f; return r < 5.0f ? r : 0.0f; }
__device__ float ping(const float* x, int i, int depth) { const float r = depth == 0 ? x[i] : pong(x, i, depth - 1); return r < 5.0f ? r : 0.0f; }
EVENS {
    INDEX;
    const float v = ping(x, min(i, n - 1), 1000);
    if (i < n && i % 2 == 0) out[i] = fmaxf(2.0f * v + y[i], 0.0f);
}
