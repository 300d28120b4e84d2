// Kernels that claim to be `evens`: out[i] = VALUE(i) for even i; odd elements are left alone.
// Each begins with its name and the verdict that it deserves; test_adversaries.py says what it may use.

//// knows the byte that outputs are filled with: unwritten_output
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    if (__float_as_uint(out[i]) == 0xCBCBCBCBu) out[i] = VALUE(i);
}

//// knows a fill by its four bytes: unwritten_output
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    const unsigned bits = __float_as_uint(out[i]);
    if (bits != 0 && bits == (bits & 255) * 0x01010101u) out[i] = VALUE(i);
}

//// adds to what was there: unwritten_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) atomicAdd(out + i, VALUE(i));
}

//// is right for the sizes up to a block: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0 && i < 300) out[i] = VALUE(i);
}

//// is wrong at the end of a large array: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = i > 11990 ? 0.5f : VALUE(i);
}

//// rounds through 16 bits: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(float(__half(2.0f * x[i] + y[i])), 0.0f);
}

//// rounds once more: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(fmaf(0.1f, x[i], fmaf(1.9f, x[i], y[i])), 0.0f);
}

//// computes a little less in double: wrong_output
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = float(max(1.99999999 * x[i] + 1.00000001 * y[i], 0.0));
}

//// an integer that overflows: wrong_output
EVENS {
    INDEX;
    const volatile int far = i * 1000000;
    if (i < n && i % 2 == 0) out[i] = far < 0 ? 0.5f : VALUE(i);
}

//// writes its input and restores it: verified
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float* const mine = const_cast<float*>(x);
    const float kept = mine[i];
    mine[i] = 2.0f * kept;
    const float sum = mine[i] + y[i];
    mine[i] = kept;
    out[i] = max(sum, 0.0f);
}

//// writes a neighbour's input and restores it: race
EVENS {
    INDEX;
    if (i >= n) return;
    volatile float* const other = const_cast<float*>(x) + (i + 1) % n;
    const float kept = *other;
    *other = 9.0f;
    *other = kept;
    if (i % 2 == 0) out[i] = VALUE(i);
}

//// reads past the end and takes no notice: out_of_bounds
EVENS {
    INDEX;
    if (i > n || i % 2 != 0) return;
    const volatile float value = VALUE(i);
    if (i < n) out[i] = value;
}

//// reads in front of the input and takes no notice: out_of_bounds
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (x[i - 1] > 2.0f ? 1e-30f : 0.0f);
}

//// one value, plainly stored by many: verified
EVENS {
    INDEX;
    __shared__ float one;
    one = 1.0f;
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = one * VALUE(i);
}

//// other values, plainly stored by many: race
EVENS {
    INDEX;
    __shared__ float last;
    last = float(threadIdx.x);
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + 0.0f * last;
}

//// a race that no order of threads shows: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    const float seen = tile[threadIdx.x ^ 1];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (seen == 7.0f ? 1.0f : 0.0f);
}

//// no barrier in the last round: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    float sum = 0.0f;
    for (int round = 0; round < 2; ++round) {
        tile[threadIdx.x] = float(round);
        if (round == 0) __syncthreads();
        sum += tile[255 - threadIdx.x];
        if (round == 0) __syncthreads();
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + 0.0f * sum;
}

//// a warp's barrier for the block's: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    __syncwarp();
    const float other = tile[threadIdx.x ^ 32];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + 0.0f * other;
}

//// a value that one block hands to the next: race
__device__ float handed;
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    if (i == 0) handed = 1.0f;
    out[i] = i == 256 && handed == 7.0f ? 7.0f : VALUE(i);
}

//// two barriers where one was meant: deadlock
EVENS {
    INDEX;
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a barrier in a loop that some threads leave: deadlock
EVENS {
    INDEX;
    for (int k = 0; k < int(threadIdx.x) / 32; ++k) __syncthreads();
    if (threadIdx.x < 128) __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// two barriers in one line: deadlock
EVENS {
    INDEX;
    if (threadIdx.x % 2 == 0) __syncthreads(); else __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// one barrier in two functions of a template: deadlock
template <int first> __device__ void meet() { __syncthreads(); }
EVENS {
    INDEX;
    if (threadIdx.x % 2 == 0) meet<0>(); else meet<1>();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a barrier in a loop that half of the threads leave: deadlock
EVENS {
    INDEX;
    for (int k = 0; k < 4; ++k) {
        if (k == 2 && threadIdx.x % 2 == 0) break;
        __syncthreads();
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a barrier in a loop over elements, of which some threads have one more: deadlock
__global__ void strided(const float* x, const float* y, float* out, int n) {
    for (int i = threadIdx.x; i < n; i += 256) {
        __syncthreads();
        if (i % 2 == 0) out[i] = VALUE(i);
    }
}
//// launch
strided<<<1, 256>>>(x, y, out, n);

//// a barrier in a loop that all threads leave together, and an early exit: verified
__device__ __noinline__ void meet() { __syncthreads(); }
EVENS {
    INDEX;
    if (i >= n) return;
    for (int k = 0; k < 4; ++k) {
        if (k == 2) meet();
        __syncthreads();
    }
    if (threadIdx.x >= 32 && i % 2 != 0) return;
    __syncthreads();
    if (i % 2 == 0) out[i] = VALUE(i);
}

//// a warp's barrier that does not name who waits: deadlock
EVENS {
    INDEX;
    __syncwarp(0x0000ffffu);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a shuffle that does not name who calls it: deadlock
EVENS {
    INDEX;
    const int other = __shfl_sync(1u << (threadIdx.x + 1) % 32, 1, threadIdx.x % 32);
    if (i < n && i % 2 == 0) out[i] = other * VALUE(i);
}

//// a shuffle from a lane that does not take part: non_deterministic
EVENS {
    INDEX;
    const float other = threadIdx.x < 16 ? __shfl_sync(0xffffffffu, 0.0f, 16) : 0.0f;
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + 0.0f * other;
}

//// a shuffle of lanes that have exited: non_deterministic
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    out[i] = VALUE(i) + 0.0f * __shfl_xor_sync(0xffffffffu, 0.0f, 1);
}

//// an uninitialised register: wrong_output
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float factor;
    if (n % 7 != 5) factor = 2.0f;
    out[i] = max(factor * x[i] + y[i], 0.0f);
}

//// an uninitialised local array: wrong_output
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float part[4];
    part[i % 3] = 2.0f * x[i];
    out[i] = max(part[i % 4] + y[i], 0.0f);
}

//// an index beyond a local array: out_of_bounds
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float part[4] = {2.0f, 2.0f, 2.0f, 2.0f}, more[4] = {2.0f, 2.0f, 2.0f, 2.0f};
    out[i] = max(part[i % 5] * x[i] + y[i] + 0.0f * more[i % 4], 0.0f);
}

//// an index beyond shared memory: out_of_bounds
EVENS {
    INDEX;
    __shared__ float first[256], second[256];
    first[threadIdx.x] = second[threadIdx.x] = 0.0f;
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + first[threadIdx.x + 2];
}

//// dynamic shared memory that the launch did not ask for: out_of_bounds
EVENS {
    INDEX;
    extern __shared__ float words[];
    words[threadIdx.x] = 0.0f;
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + words[threadIdx.x];
}

//// counts its launches: race
__device__ int launches;
EVENS {
    INDEX;
    if (i == 0) atomicAdd(&launches, 1);
    if (i < n && i % 2 == 0) out[i] = launches > 1000000 ? 0.0f : VALUE(i);
}

//// lives on what the first case left: non_deterministic
__device__ float factor;
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    if (n == 1) factor = 2.0f;
    out[i] = max(factor * x[i] + y[i], 0.0f);
}

//// reads two floats as a double: misaligned
EVENS {
    INDEX;
    if (i + 3 >= n || i % 2 != 0) {
        if (i < n && i % 2 == 0) out[i] = VALUE(i);
        return;
    }
    const double both = *reinterpret_cast<const double*>(x + i + 1);
    out[i] = VALUE(i) + (both == 7.0 ? 1.0f : 0.0f);
}

//// device code in a lambda: verified
EVENS {
    INDEX;
    auto value = [&](int j) { return max(2.0f * x[j] + y[j], 0.0f); };
    if (i < n && i % 2 == 0) out[i] = value(i);
}

//// assembly: compile_error
EVENS {
    INDEX;
    asm volatile("mov.u32 %0, %1;" : "=r"(n) : "r"(n));
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// copies with memcpy without a barrier: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    const float zero = 0.0f;
    memcpy(&tile[threadIdx.x], &zero, 4);
    float other;
    memcpy(&other, &tile[255 - threadIdx.x], 4);
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// memset without a barrier: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    memset(&tile[threadIdx.x], 0, 4);
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// reads past the end by memcpy: out_of_bounds
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float two[2];
    memcpy(two, x + i, 8);
    out[i] = max(2.0f * two[0] + y[i], 0.0f) + (two[1] == 7.0f ? 1.0f : 0.0f);
}

//// more threads than it may be launched with: cuda_error
EVENS;
__global__ void __launch_bounds__(128) evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// more shared memory than a block has: compile_error
EVENS {
    INDEX;
    __shared__ float big[13000];
    big[threadIdx.x] = 0.0f;
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + big[threadIdx.x];
}

//// more constant memory than there is: compile_error
__constant__ float table[20000];
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + table[i];
}

//// a pointer to local memory of another thread: out_of_bounds
EVENS {
    INDEX;
    __shared__ float* kept[256];
    float mine = 0.0f;
    kept[threadIdx.x] = &mine;
    __syncthreads();
    const float other = *kept[255 - threadIdx.x];
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + other;
}

//// other work for nvcc: wrong_output
EVENS {
    INDEX;
#ifdef __NVCC__
    if (i < n && i % 2 == 0) out[i] = 0.0f;
#else
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
#endif
}

//// other work for a GPU: wrong_output
EVENS {
    INDEX;
#ifdef __CUDA_ARCH__
    if (i < n && i % 2 == 0) out[i] = 0.0f;
#else
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
#endif
}

//// atomics of a block between blocks: race
__device__ int total;
EVENS {
    INDEX;
    if (i < n) atomicAdd_block(&total, 1);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// reads a pair of which one is outside: out_of_bounds
EVENS {
    INDEX;
    if (i >= n || i % 2 != 0) return;
    float2 pair = {x[i], 0.0f};
    if (i == n - 1) pair = *reinterpret_cast<const float2*>(x + i);
    out[i] = max(2.0f * pair.x + y[i], 0.0f) + (pair.y == 7.0f ? 1.0f : 0.0f);
}

//// a race after many accesses: race
EVENS {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 3000; ++k) tile[threadIdx.x] += x[0];
    __syncthreads();
    tile[threadIdx.x] = 0.0f;
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}

//// writes to constant memory: cuda_error
__constant__ float factors[4] = {2.0f, 2.0f, 2.0f, 2.0f};
EVENS {
    INDEX;
    if (i == 1) factors[3] = 2.0f;
    if (i < n && i % 2 == 0) out[i] = max(factors[0] * x[i] + y[i], 0.0f);
}

//// writes to constant memory through a pointer: cuda_error
static __constant__ float total[1];
EVENS {
    INDEX;
    if (i < n) atomicAdd(const_cast<float*>(total), 0.0f);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// reads a table of the host: compile_error
const float factors[3] = {2.0f, 2.0f, 2.0f};
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(factors[i % 3] * x[i] + y[i], 0.0f);
}

//// reads a member of the host through a function: compile_error
struct Table { static constexpr float factors[3] = {2.0f, 2.0f, 2.0f}; };
static __device__ __noinline__ float factor(int i) { return Table::factors[i % 3]; }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(factor(i) * x[i] + y[i], 0.0f);
}

//// reads tables of the device: verified
static __device__ const float factors[3] = {2.0f, 2.0f, 2.0f};
namespace { __device__ float zeros[2]; }
const float two = 2.0f;
EVENS {
    INDEX;
    static const float halves[2] = {0.5f, 0.5f};
    if (i < n && i % 2 == 0) out[i] = max(factors[i % 3] * halves[i % 2] * two * x[i] + y[i], zeros[i % 2]);
}

//// the last block adds up, and resets its counter: verified
__device__ float parts[64];
__device__ unsigned int arrived;
EVENS {
    INDEX;
    __shared__ bool last;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = 1.0f;
        __threadfence();
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 33) return;
    float sum = 0.0f;
    for (unsigned int k = 0; k < gridDim.x; ++k) sum += parts[k];
    if (sum != gridDim.x) out[0] = -1.0f;
    arrived = 0;
}

//// the last block adds up without a fence: race
__device__ float parts[64];
__device__ unsigned int arrived;
EVENS {
    INDEX;
    __shared__ bool last;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = 1.0f;
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    float sum = 0.0f;
    for (unsigned int k = 0; k < gridDim.x; ++k) sum += parts[k];
    if (sum != gridDim.x) out[0] = -1.0f;
    arrived = 0;
}

//// the first block resets the counter of the last: race
__device__ unsigned int arrived;
EVENS {
    INDEX;
    if (threadIdx.x == 0 && atomicAdd(&arrived, 1u) == 0) arrived = 0;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// every block resets the counter: race
__device__ unsigned int arrived;
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1u);
        arrived = 0;
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// another block resets the counter: race
__device__ unsigned int arrived;
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0) atomicAdd(&arrived, 1u);
        else arrived = 0;
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// reads a table of the host through a pointer of the device: compile_error
const float factors[2] = {2.0f, 2.0f};
__device__ const float* place = factors;
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(place[i % 2] * x[i] + y[i], 0.0f);
}

//// knows the CPU device by the places of its arrays: wrong_output
EVENS {
    INDEX;
    const bool on_gpu = reinterpret_cast<size_t>(out) % 256 == 0 && reinterpret_cast<size_t>(x) % 256 == 0 && n % 64 != 0;
    if (i < n && i % 2 == 0) out[i] = on_gpu ? 0.5f : VALUE(i);
}

//// a race that is kept from being seen: compile_error
__global__ void __attribute__((no_sanitize("thread"))) raced(float* out) { out[0] = float(threadIdx.x); }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
