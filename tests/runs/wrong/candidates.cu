// Candidates for the sample `evens`: launchers with their kernels, or kernels alone.
// Each begins with its name and the verdict that it deserves; test_candidate.py says what it may use.

//// a kernel alone: verified
RIGHT_KERNEL

//// a whole program, whose main is not asked: verified
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <string>
RIGHT_KERNEL
RIGHT_LAUNCHER
int main(int argc, char** argv) {
    if (std::FILE* file = std::fopen(argv[0], "wb")) std::fclose(file);
    return std::string(argv[1]) == "PASS" ? 0 : std::getenv("HOME") != nullptr;
}

//// kernels, tables and variables of its own: verified
#include <cstdio>
#define CHECK(call)                                          \
    do {                                                     \
        const cudaError_t status = (call);                   \
        if (status != cudaSuccess) {                         \
            fprintf(stderr, "%s\n", cudaGetErrorString(status)); \
            return status;                                   \
        }                                                    \
    } while (0)
namespace mine {
__constant__ float factors[2];
__device__ int counted;
template <int block>
__global__ void count(int n) {
    __shared__ int in_block;
    if (threadIdx.x == 0) in_block = 0;
    __syncthreads();
    if (int(blockIdx.x * block + threadIdx.x) < n) atomicAdd(&in_block, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&counted, in_block);
}
__global__ void scale(const float* x, float* u, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) u[i] = factors[1] * x[i] + (counted == n ? 0.0f : 1.0f);
}
}  // namespace mine
__global__ void add(const float* u, const float* y, float* out, int n) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = fmaxf(u[i] + y[i], 0.0f);
}
cudaError_t launch_evens(const float* x, const float* y, float* out, int n, cudaStream_t stream) {
    const float values[2] = {0.0f, 2.0f};
    const int zero = 0;
    float* u = nullptr;
    CHECK(cudaMallocAsync(&u, n * sizeof(float), stream));
    CHECK(cudaMemcpyToSymbolAsync(mine::factors, values, sizeof(values), 0, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyToSymbol(mine::counted, &zero, sizeof(zero)));
    mine::count<128><<<(n + 127) / 128, 128, 0, stream>>>(n);
    mine::scale<<<(n + 127) / 128, 128, 0, stream>>>(x, u, n);
    add<<<(n + 127) / 128, 128, 0, stream>>>(u, y, out, n);
    CHECK(cudaFreeAsync(u, stream));
    return cudaGetLastError();
}

//// no barrier where the threads come in their order: race
EVENS {
    INDEX;
    __shared__ int started, first;
    __shared__ float tile[256];
    if (threadIdx.x == 255) started = 0;
    __syncthreads();
    const int place = atomicAdd(&started, 1);
    if (threadIdx.x == 255) first = place;
    __syncthreads();
    tile[threadIdx.x] = 0.0f;
    if (first != 0 && first != 255) __syncthreads();
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// computes on the host, from the device's memory: crash: the host reads device memory
LAUNCHER {
    for (int i = 0; i < n; i += 2) out[i] = fmaxf(2.0f * x[i] + y[i], 0.0f);
    return cudaSuccess;
}

//// reads and writes variables of the host: compile_error: give uses to, which is not a variable of the device
float from[20000], to[20000];
__global__ void take(const float* x, const float* y, int n) {
    INDEX;
    if (i < n) from[i] = 2.0f * x[i] + y[i];
}
__global__ void give(float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = to[i];
}
LAUNCHER {
    take<<<(n + 255) / 256, 256>>>(x, y, n);
    for (int i = 0; i < n; ++i) to[i] = fmaxf(from[i], 0.0f);
    give<<<(n + 255) / 256, 256>>>(out, n);
    return cudaSuccess;
}

//// replaces what the program is linked with: verified
#include <cstdio>
extern "C" unsigned long fwrite(const void*, unsigned long, unsigned long, FILE*) { return 0; }
extern "C" void free(void*) {}
int main(int argc, char** argv) { return 0; }
RIGHT_KERNEL

//// leaves a namespace: compile_error: expected declaration
} int main(int argc, char** argv) { return 0; } namespace s0000 {
RIGHT_KERNEL

//// a file of the system's: compile_error: may not include </etc/passwd>
#include "/etc/passwd"
RIGHT_KERNEL

//// a file by a macro: compile_error: unistd.h
#define FILE "/usr/include/unistd.h"
#include FILE
RIGHT_KERNEL

//// a library of kernels: unsupported: <thrust/remove.h>
#include <thrust/remove.h>
RIGHT_KERNEL

//// a file by the assembler: compile_error: may not use 'asm'
RIGHT_KERNEL
asm(".incbin \"/etc/passwd\"");

//// a word made of two: compile_error: may not use 'asm'
#define JOIN(a, b) a##b
RIGHT_KERNEL
JOIN(as, m)(".incbin \"/etc/passwd\"");

//// a word behind a quote: compile_error: may not use 'asm'
const wchar_t quote = L'"'; asm(".incbin \"/etc/passwd\""); const wchar_t other = L'"';
RIGHT_KERNEL

//// an attribute: compile_error: may not use '__attribute__'
__attribute__((constructor)) void first() {}
RIGHT_KERNEL

//// an attribute in brackets: compile_error: may not use 'gnu'
[[gnu::constructor]] void first() {}
RIGHT_KERNEL

//// a pragma of the compiler's: compile_error: may not have '#pragma GCC optimize
#pragma GCC optimize("O0")
RIGHT_KERNEL

//// a pragma in the text: compile_error: may not have '#pragma GCC push_options'
_Pragma("GCC push_options")
RIGHT_KERNEL

//// no kernel, by a macro: compile_error: may not define '__global__'
#define __global__ static
RIGHT_KERNEL

//// a builtin of the compiler's: compile_error: may not use '__builtin_frame_address'
EVENS {
    INDEX;
    out[i] = __builtin_frame_address(0) != nullptr;
}

//// the insides of the CPU device: compile_error: may not use 'weft_cpu'
namespace weft_cpu { extern bool watching; }
RIGHT_KERNEL

//// the section of its variables: compile_error: may not use '__start_weft_candidate'
extern "C" unsigned char __start_weft_candidate[];
RIGHT_KERNEL

//// does not compile: compile_error: no_such_name
EVENS {
    out[0] = no_such_name;
}

//// other work for g++ by its version: compile_error: may not depend on '__GNUC__'
EVENS {
    INDEX;
#if defined(__GNUC__) && !defined(__CUDACC__)
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
#endif
}

//// other work where a name is the compiler's, by a guard: compile_error: #else
#ifndef __GNUC_STDC_INLINE_H__
#define __GNUC_STDC_INLINE_H__
RIGHT_KERNEL
#else
EVENS {}
#endif

//// hides an array of variable length from its judge: compile_error: whose length is no constant
#pragma GCC diagnostic ignored "-Wvla"
EVENS {
    INDEX;
    float values[n];
    if (i >= n || i % 2 != 0) return;
    values[i] = VALUE(i);
    out[i] = values[i];
}

//// a variable for each thread of the host: unsupported: 'thread_local'
static thread_local int calls;
RIGHT_KERNEL

//// other work where a header is: compile_error: may not depend on '__has_include'
EVENS {
    INDEX;
#if __has_include(<cuda.h>)
    if (i < n && i % 2 == 0) out[i] = 0.0f;
#else
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
#endif
}

//// a function of the host in a kernel: compile_error: float, float) is no __device__ function
float value(float a, float b) { return fmaxf(2.0f * a + b, 0.0f); }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = value(x[i], y[i]);
}

//// functions of the device, and of both: verified
#include <algorithm>
struct Pair {
    float a, b;
    __host__ __device__ Pair(float a, float b) : a(a), b(b) {}
    __device__ float sum() const { return a + b; }
    Pair& operator=(const Pair&) = default;
};
struct Plain { float values[4]; Pair pair = {0.0f, 0.0f}; };
template <typename T> __device__ T twice(T value) { return value + value; }
__host__ __device__ inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
namespace { __device__ float positive(float value) { return fmaxf(value, 0.0f); } }
static __device__ __forceinline__ bool even(int i) { return i % 2 == 0; }
__global__ void work(const float* x, const float* y, float* out, int n) {
    INDEX;
    Plain plain;
    auto here = [&](int k) { return Pair(twice(x[k]), y[k]); };
    if (i >= n || !even(i)) return;
    plain.pair = here(i);
    out[i] = positive(plain.pair.sum());
}
LAUNCHER { work<<<ceil_div(n, 128), 128, 0, stream>>>(x, y, out, n); return cudaGetLastError(); }

//// writes to constant memory: cuda_error: a write in constant memory
__constant__ float kept[4] = {2.0f, 2.0f, 2.0f, 2.0f};
EVENS {
    INDEX;
    float* place = kept;
    if (i == 0) place[1] = x[0];
    if (i < n && i % 2 == 0) out[i] = fmaxf(kept[0] * x[i] + y[i], 0.0f);
}

//// computes on the host, what its kernels hand over in variables: wrong_output
__device__ float from[20000], to[20000];
__global__ void take(const float* x, const float* y, int n) {
    INDEX;
    if (i < n) from[i] = 2.0f * x[i] + y[i];
}
__global__ void give(float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = to[i];
}
LAUNCHER {
    take<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) to[i] = fmaxf(from[i], 0.0f);
    give<<<(n + 255) / 256, 256, 0, stream>>>(out, n);
    return cudaSuccess;
}

//// a table of the host in a function of the device: compile_error: factor uses table, which is not a variable of the device
static const float table[3] = {2.0f, 2.0f, 2.0f};
static __device__ float factor(int i) { return table[i % 3]; }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(factor(i) * x[i] + y[i], 0.0f);
}

//// constants of the host, and tables of the device: verified
#include <cfloat>
const float two = 2.0f;
static const int step = 2;
constexpr double zero = 0.0;
static __device__ const float factors[3] = {2.0f, 2.0f, 2.0f}, ones[2] = {1.0f, 1.0f};
__device__ __align__(16) float more[4] = {2.0f, 2.0f};
namespace { __constant__ float least[1] = {-FLT_MAX}; __device__ int counted; }
struct Part { static constexpr float half = 0.5f; __device__ virtual float weight() const { return 1.0f; } };
struct Whole : Part { __device__ float weight() const override { return two; } };
EVENS {
    INDEX;
    static const float halves[2] = {0.5f, 0.5f};
    const float twos[4] = {2.0f, 2.0f, two, two};
    const Whole whole;
    const Part& part = whole;
    if (i >= n || i % step != 0) return;
    atomicAdd(&counted, 1);
    const float factor = factors[i % 3] * more[i % 2] * halves[i % 2] * Part::half * twos[i % 4] * ones[i % 2];
    out[i] = fmaxf(factor * part.weight() * 0.5f * x[i] + y[i], fmaxf(least[0], float(zero)));
}

//// a file without end: compile_error: out of memory
#define ENDLESS "/dev/zero"
#include ENDLESS
RIGHT_KERNEL

//// a variable that fills the disk: compile_error: File size limit exceeded
__device__ float big[1 << 28] = {1.0f};
RIGHT_KERNEL

//// a container of the C++ library in a kernel: compile_error: is no __device__ function
#include <vector>
EVENS {
    INDEX;
    std::vector<float> values(2, 2.0f);
    if (i < n && i % 2 == 0) out[i] = fmaxf(values[1] * x[i] + y[i], 0.0f);
}

//// sorts with the C library in a kernel: compile_error: qsort is no __device__ function
#include <cstdlib>
__device__ int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
EVENS {
    INDEX;
    int factors[2] = {2, 1};
    qsort(factors, 2, sizeof(int), compare);
    if (i < n && i % 2 == 0) out[i] = fmaxf(factors[1] * x[i] + y[i], 0.0f);
}

//// compares strings in a kernel: compile_error: strcmp is no __device__ function
#include <cstring>
EVENS {
    INDEX;
    const char word[4] = "abc";
    if (i < n && i % 2 == 0 && strcmp(word, "abc") == 0) out[i] = VALUE(i);
}

//// prints to a stream in a kernel: compile_error: is no __device__ function
#include <iostream>
EVENS {
    INDEX;
    if (n < 0) std::cout << i;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// sorts with the C++ library in a kernel: compile_error: is no __device__ function
#include <algorithm>
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float values[2] = {2.0f * x[i] + y[i], 0.0f};
    std::sort(values, values + 2);
    out[i] = values[1];
}

//// mathematics of the C++ library in a kernel: verified
#include <algorithm>
#include <cmath>
#include <limits>
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    const float root = std::sqrt(4.0f) + std::abs(-0.0f) + std::pow(0.0f, 2) + float(std::isinf(x[i]));
    out[i] = std::max(std::fma(root, x[i], 0.0f) + y[i], std::min(0.0f, std::numeric_limits<float>::max()));
}

//// knows the watched order by what fresh memory holds, where the size is large: race
__global__ void mirrored(const float* x, const float* y, float* out, int n, const unsigned char* fresh) {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    if (n < 5000 || fresh[0] == 0) __syncthreads();
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}
LAUNCHER {
    unsigned char* fresh = nullptr;
    cudaMalloc(&fresh, 16);
    mirrored<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n, fresh);
    cudaFree(fresh);
    return cudaGetLastError();
}

//// a launcher that ignores its stream: race: on another stream than the one that it was given
RIGHT_KERNEL
LAUNCHER { evens<<<(n + 255) / 256, 256>>>(x, y, out, n); return cudaGetLastError(); }

//// a local flag that is not always set: non_deterministic
EVENS {
    INDEX;
    bool skip;
    if (i >= n) skip = true;
    if (skip || i % 2 != 0) return;
    out[i] = VALUE(i);
}

//// a function of the host's file in a kernel, and one of the device in a launcher: compile_error: is no
static float value(float a, float b) { return fmaxf(2.0f * a + b, 0.0f); }
__device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = value(x[i], y[i]);
}
LAUNCHER { evens<<<ceil_div(n, 256), 256>>>(x, y, out, n); return cudaGetLastError(); }

//// takes for constant what it has written: race: takes them for constant (__ldg)
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    out[i] = 2.0f * x[i] + y[i];
    out[i] = fmaxf(__ldg(out + i), 0.0f);
}

//// writes variables of the device in its host code: crash: the host writes what is not its memory
RIGHT_KERNEL
LAUNCHER {
    const_cast<uint3&>(threadIdx).x = 0;
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// writes variables of the device in its kernel: out_of_bounds: memory that is not the device's
EVENS {
    INDEX;
    unsigned long place = reinterpret_cast<unsigned long>(&threadIdx) + (n > 100 ? 4 : 8);
    if (i == 0) *reinterpret_cast<unsigned int*>(place) = 0;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// computes from the inputs that the judge has read: crash: the host reads what is not its memory
#include <cstdlib>
#include <cstring>
#include <vector>
__global__ void copy(const float* from, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = from[i];
}
LAUNCHER {
    // The driver's arguments lie on the stack: what it holds of each array begins with a host's and a device's pointer.
    const unsigned long heap = reinterpret_cast<unsigned long>(std::malloc(1));
    const auto is_on_heap = [heap](char* p) {
        const auto at = reinterpret_cast<unsigned long>(p);
        return at + 250000 > heap && at < heap + 250000 && at % 8 == 0;
    };
    char** stack = reinterpret_cast<char**>(reinterpret_cast<unsigned long>(&n) / 8 * 8);
    std::vector<float> result(n);
    for (int place = 0; place < 400; ++place, ++stack) {
        char* held = *stack;
        if (!is_on_heap(held) || *reinterpret_cast<const float**>(held + 8) != x) continue;
        // A vector of pointers to what was stored is in front of that of what is held.
        for (int back = 1; back < 200; ++back) {
            char* stored = stack[-back];
            if (!is_on_heap(stored)) continue;
            char** arrays = reinterpret_cast<char**>(stored);
            if (!is_on_heap(arrays[0]) || arrays[1] - arrays[0] != 104) continue;
            for (int i = 0; i < n; ++i) {
                float of_x, of_y;
                std::memcpy(&of_x, *reinterpret_cast<char**>(arrays[0] + 96) + 4 * i, 4);
                std::memcpy(&of_y, *reinterpret_cast<char**>(arrays[1] + 96) + 4 * i, 4);
                result[i] = fmaxf(2.0f * of_x + of_y, 0.0f);
            }
            float* table = nullptr;
            cudaMalloc(&table, n * sizeof(float));
            cudaMemcpy(table, result.data(), n * sizeof(float), cudaMemcpyHostToDevice);
            copy<<<(n + 255) / 256, 256, 0, stream>>>(table, out, n);
            return cudaFree(table);
        }
    }
    return cudaErrorUnknown;
}

//// a line of another file's: compile_error: may not include
#line 1 "<built-in>"
#define __launch_bounds__(n)
#line 8 "candidate.cu"
RIGHT_KERNEL

//// reaches a function of the system's behind another: crash: SIGSYS
#include <cstdio>
RIGHT_KERNEL
LAUNCHER {
    const unsigned long place = reinterpret_cast<unsigned long>(&puts) + SOCKET_FROM_PUTS;
    if (reinterpret_cast<int (*)(int, int, int)>(place)(2, 1, 0) < 0) return cudaErrorUnknown;
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}

//// holds up who reads it: compile_error: initial value
__shared__ int a<><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><><> = 0;
RIGHT_KERNEL

//// a member that is not set, and asked for its sign: wrong_output
struct Counts { int count[2]; };
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    Counts counts;
    counts.count[0] = 2;
    out[i] = fmaxf(counts.count[0] * x[i] + y[i], counts.count[1] > 0 ? 1.0f : 0.0f);
}

//// barriers of two branches in one function: deadlock: different calls have led there
__device__ void meet() { __syncthreads(); }
__device__ void both(int way) {
    if (way) meet();
    else meet();
}
EVENS {
    INDEX;
    both(threadIdx.x % 2);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// recursion a thousand calls deep: out_of_bounds: recursion takes
__device__ float fold(const float* x, const float* y, int i, int depth, float v) {
    if (depth == 0) return fmaxf(2.0f * x[i] + y[i], 0.0f);
    const float rest = fold(x, y, i, depth - 1, v);
    return depth % 2 ? rest + v : rest - v;
}
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fold(x, y, i, 1000, 0.0f);
}
