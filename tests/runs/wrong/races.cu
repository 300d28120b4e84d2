// Kernels that claim to be `evens`, of which fences, volatile accesses and atomics order too little, or just enough.
// Each begins with its name and the verdict that it deserves; test_adversaries.py says what it may use.

//// counts plainly beside a fence: race
__device__ int counted;
EVENS {
    INDEX;
    counted = counted + 1;
    __threadfence();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// counts plainly between fences: race
__device__ int counted;
EVENS {
    INDEX;
    __threadfence();
    counted = counted + 1;
    __threadfence();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// counts plainly between atomics that are no lock: race
__device__ int counted, turns;
EVENS {
    INDEX;
    atomicAdd(&turns, 1);
    __threadfence();
    counted = counted + 1;
    __threadfence();
    atomicAdd(&turns, 1);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// takes a lock and does not ask whether it has it: race
__device__ int counted, lock;
EVENS {
    INDEX;
    atomicCAS(&lock, 0, 1);
    counted = counted + 1;
    __threadfence();
    atomicExch(&lock, 0);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// takes a lock: verified
__device__ int counted, lock;
EVENS {
    INDEX;
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    counted = counted + 1;
    __threadfence();
    atomicExch(&lock, 0);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// gives a lock back with a volatile write: verified
__device__ int counted, lock;
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        while (atomicExch(&lock, 1) != 0) {}
        counted += 1;
        __threadfence();
        *(volatile int*)&lock = 0;
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// gives a lock back without a fence: race
__device__ int counted, lock;
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        counted += 1;
        atomicExch(&lock, 0);
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a fence for the block between blocks: race
__device__ int counted, lock;
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        counted += 1;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// counts with volatile: race
__device__ volatile int counted;
EVENS {
    INDEX;
    counted = counted + 1;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// counts with volatile in blocks of one thread: race
__device__ volatile int counted;
__global__ void count() { counted = counted + 1; }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
//// launch
count<<<n, 1>>>();
RIGHT;

//// counts plainly in blocks of one thread: race
__device__ int counted;
__global__ void count() { counted = counted + 1; }
EVENS {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
//// launch
count<<<n, 1>>>();
RIGHT;

//// counts plainly in very many blocks: race
__device__ int counted;
__global__ void count(int blocks) { if (blockIdx.x < 2 || int(blockIdx.x) == blocks - 1) counted = counted + 1; }
//// launch
const int blocks = n == 1 ? 300000 : 1;
count<<<blocks, 1>>>(blocks);
RIGHT;

//// counts plainly far behind in a large allocation: race
__global__ void count(int* counts) { counts[2000000] = counts[2000000] + 1; }
//// launch
int* counts;
CHECK(cudaMalloc(&counts, 8000004));
count<<<1, 32>>>(counts);
CHECK(cudaFree(counts));
RIGHT;

//// a neighbour is read behind many accesses: race
__global__ void late(float* u, int n) {
    const int t = threadIdx.x;
    for (int k = 0; k < 6000; ++k) u[(k % 64) * 512 + t] += 1.0f;
    u[t] = 1.0f;
    __syncthreads();
    for (int k = 0; k < 200; ++k) u[t] += 1.0f;
    if (n > 0) u[t + 1] = u[t];
}
//// launch
if (n == 33) {
    harness::Buffer u(65536);
    late<<<1, 256>>>(u.device, n);
}
RIGHT;

//// a flag that nobody waits for: race
__device__ int handed, flag;
EVENS {
    INDEX;
    if (i == 0) {
        handed = 1;
        __threadfence();
        *(volatile int*)&flag = 1;
    } else if (threadIdx.x == 0) {
        const int seen = *(volatile int*)&flag;
        if (seen == 7 || handed == 7) out[0] = 7.0f;
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// the first block hands over a plain sum: verified
__device__ unsigned int started;
__device__ float sums[1024];
__device__ volatile int flags[1024];
__global__ void reset() {
    flags[threadIdx.x] = 0;
    if (threadIdx.x == 0) started = 0;
}
__global__ void chained(const float* x, const float* y, float* out, int n) {
    __shared__ unsigned int block;
    __shared__ float before;
    if (threadIdx.x == 0) block = atomicAdd(&started, 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (block > 0)
            while (flags[block - 1] == 0) {}
        __threadfence();
        before = block > 0 ? sums[block - 1] : 0.0f;
        if (block > 2 && sums[block - 3] != float(block - 2)) before = -1.0f;
        sums[block] = before + 1.0f;
        __threadfence();
        flags[block] = 1;
    }
    __syncthreads();
    const int i = block * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = before == float(block) ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1024>>>();
chained<<<(n + 31) / 32, 32>>>(x, y, out, n);

//// the last block adds up what all threads left, as NVIDIA's sample does: verified
__device__ float parts[256 * 64];
__device__ unsigned int retired;
EVENS {
    INDEX;
    __shared__ bool last;
    parts[i] = 1.0f;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(&retired, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
    if (!last) return;
    for (unsigned int k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x)
        if (parts[k] != 1.0f) out[0] = -1.0f;
    if (threadIdx.x == 0) retired = 0;
}

//// the last block adds up what others wrote by volatile, without a fence: wrong_output
__device__ volatile float parts[1024];
__device__ unsigned int retired;
EVENS {
    INDEX;
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = float(n);
        last = atomicInc(&retired, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    const bool has_read = !last || parts[threadIdx.x % gridDim.x] == float(n);
    if (i < n && i % 2 == 0) out[i] = has_read ? VALUE(i) : -1.0f;
}
//// launch
evens<<<(n + 31) / 32, 32>>>(x, y, out, n);

//// one thread's fence for the block: verified
__device__ float parts[256 * 64];
__device__ unsigned int retired;
EVENS {
    INDEX;
    __shared__ bool last;
    parts[i] = 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&retired, 1) == gridDim.x - 1;
        if (last) atomicExch(&retired, 0);
    }
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
    if (last && parts[gridDim.x * blockDim.x - 1 - threadIdx.x] != 1.0f) out[0] = -1.0f;
}

//// blocks ask for flags with atomics, first for a sum and then for a total: verified
__device__ unsigned int started;
__device__ int sums[1024], totals[1024], flags[1024];
__global__ void reset() {
    flags[threadIdx.x] = 0;
    if (threadIdx.x == 0) started = 0;
}
__global__ void chained(const float* x, const float* y, float* out, int n) {
    __shared__ int block, before;
    if (threadIdx.x == 0) {
        block = int(atomicAdd(&started, 1u));
        sums[block] = 1;
        __threadfence();
        atomicExch(&flags[block], 1);
        before = 0;
        for (int k = block - 1; k >= 0; --k) {
            int flag;
            while ((flag = k % 2 ? atomicAdd(&flags[k], 0) : atomicCAS(&flags[k], 2, 2)) == 0) {}
            __threadfence();
            before += flag == 2 ? totals[k] : sums[k];
            if (flag == 2) break;
        }
        totals[block] = before + 1;
        __threadfence();
        atomicMax(&flags[block], 2);
    }
    __syncthreads();
    const int i = block * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = before == block ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1024>>>();
chained<<<(n + 31) / 32, 32>>>(x, y, out, n);

//// asks for a flag with an atomic, and does not wait: race
__device__ int sums[1024], flags[1024];
EVENS {
    INDEX;
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0 && atomicAdd(&flags[blockIdx.x - 1], 0) + sums[blockIdx.x - 1] == 7) out[0] = 7.0f;
        sums[blockIdx.x] = 1;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// a warp adds up with volatile and its barrier: verified
EVENS {
    INDEX;
    __shared__ volatile int sums[256];
    const int lane = threadIdx.x % 32;
    sums[threadIdx.x] = 1;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        int sum = sums[threadIdx.x];
        if (lane < half) sum += sums[threadIdx.x + half];
        __syncwarp();
        sums[threadIdx.x] = sum;
        __syncwarp();
    }
    if (i < n && i % 2 == 0) out[i] = sums[threadIdx.x - lane] == 32 ? VALUE(i) : -1.0f;
}

//// a fence before the barrier that it needs: race
__device__ float parts[256 * 64];
__device__ unsigned int retired;
EVENS {
    INDEX;
    __shared__ bool last;
    __threadfence();
    parts[i] = 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&retired, 1) == gridDim.x - 1;
    __syncthreads();
    for (unsigned int k = threadIdx.x; last && k < gridDim.x * blockDim.x; k += blockDim.x)
        if (parts[k] == 7.0f) out[0] = -1.0f;
    if (threadIdx.x == 0 && last) retired = 0;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// looks before it changes the largest: verified
__device__ int largest;
__global__ void reset() { largest = -1; }
__global__ void find(int n) {
    for (int k = 0; k < 2; ++k) {
        INDEX + k * gridDim.x * blockDim.x;
        if (i < n && i > largest) atomicMax(&largest, i);
    }
}
__global__ void use(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = largest == n - 1 ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
find<<<(n + 511) / 512, 256>>>(n);
use<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// looks in shared memory before it changes the largest: verified
EVENS {
    INDEX;
    __shared__ int most;
    if (threadIdx.x == 0) most = -1;
    __syncthreads();
    if (most < i) atomicMax(&most, i);
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = most == int(blockIdx.x * 256 + 255) ? VALUE(i) : -1.0f;
}

//// uses the largest before it is known: race
EVENS {
    INDEX;
    __shared__ int most;
    if (threadIdx.x == 0) most = -1;
    __syncthreads();
    atomicMax(&most, i);
    if (i < n && i % 2 == 0) out[i] = most == -7 ? -1.0f : VALUE(i);
}

//// looks before it changes the largest, and uses what it saw: non_deterministic
__device__ int largest;
__global__ void reset() { largest = -1; }
__global__ void find(const float* x, const float* y, float* out, int n) {
    INDEX;
    const int seen = largest;
    if (i > seen) atomicMax(&largest, i);
    if (i < n && i % 2 == 0) out[i] = seen <= i ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
find<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// looks before it counts: race
__device__ int counted;
EVENS {
    INDEX;
    if (counted < 1 << 30) atomicAdd(&counted, 1);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// only looks at the largest: race
__device__ int largest;
EVENS {
    INDEX;
    if (i == 0) atomicMax(&largest, n);
    if (i < n && i % 2 == 0) out[i] = largest > 1000000 ? 0.0f : VALUE(i);
}

//// a loop of atomicCAS for the largest stops early: verified
__device__ float largest;
__device__ void raise(float* most, float value) {
    int* place = (int*)most;
    int old = *place;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(place, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}
__global__ void reset() { largest = -1.0f; }
__global__ void find(int n) {
    for (int k = 0; k < 2; ++k) {
        INDEX + k * gridDim.x * blockDim.x;
        if (i < n) raise(&largest, float(i * 7919 % n));
    }
}
__global__ void use(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = largest == float(n - 1) || n % 7919 == 0 ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
find<<<(n + 511) / 512, 256>>>(n);
use<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// a loop of atomicCAS stops early between fences: verified
__device__ int largest;
__device__ unsigned int retired;
__global__ void reset() { largest = -1; retired = 0; }
__global__ void find(int n) {
    INDEX;
    __threadfence();
    for (int old = largest; i < n && old < i;) {
        const int assumed = old;
        old = atomicCAS(&largest, assumed, i);
        if (old == assumed) break;
    }
    __threadfence();
    if (i < n) atomicAdd(&retired, 1);
}
__global__ void use(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = largest == n - 1 ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
find<<<(n + 255) / 256, 256>>>(n);
use<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// looks before the least by atomicCAS in shared memory: verified
EVENS {
    INDEX;
    __shared__ unsigned int least;
    if (threadIdx.x == 0) least = ~0u;
    __syncthreads();
    while (least > i) {
        const unsigned int old = least;
        if (old > i) atomicCAS(&least, old, i);
    }
    __syncthreads();
    if (i < n && i % 2 == 0) out[i] = least == blockIdx.x * 256 ? VALUE(i) : -1.0f;
}

//// looks whether another one has begun, before it begins by atomicCAS: verified
__device__ int begun, times;
__global__ void reset() { begun = times = 0; }
__global__ void begin() {
    if (begun == 0 && atomicCAS(&begun, 0, 1) == 0) ++times;
}
__global__ void use(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = times == 1 ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
begin<<<(n + 255) / 256, 256>>>();
use<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// floats of both signs are added by atomicCAS: verified
__device__ int sum;
EVENS {
    INDEX;
    int old = sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(&sum, assumed, __float_as_int(__int_as_float(assumed) + (i % 2 ? 1.0f : -1.0f)));
    } while (old != assumed);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// raises the largest by a plain write: race
__device__ int largest;
EVENS {
    INDEX;
    if (i < n && i > largest) largest = i;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// raises the largest by atomicCAS, and in the end by a plain write: race
__device__ int largest;
EVENS {
    INDEX;
    int old = largest;
    while (i < n && old < i) {  // so that the last thread always writes, in whatever order
        const int assumed = old;
        old = atomicCAS(&largest, assumed, i);
        if (old == assumed) break;
    }
    if (i == n - 1 && largest < n) largest = n;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// stops early at a count that goes up and down by atomicCAS: race
__device__ int inside;
__global__ void reset() { inside = 0; }
__global__ void enter(int n) {
    INDEX;
    const int step = i % 3 == 2 ? -1 : 1;
    int old = inside;
    while (i < n && old < 64) {
        const int assumed = old;
        old = atomicCAS(&inside, assumed, assumed + step);
        if (old == assumed) break;
    }
}
//// launch
reset<<<1, 1>>>();
enter<<<(n + 255) / 256, 256>>>(n);
RIGHT;

//// goes on where it finds a lock of atomicCAS taken: race
__device__ int lock;
EVENS {
    INDEX;
    if (lock == 0 && atomicCAS(&lock, 0, 1) == 0) atomicCAS(&lock, 1, 0);
    if (i < n && i % 2 == 0 && lock < 2) out[i] = VALUE(i);
}

//// goes on where a lock of atomicCAS is free, and counts: race
__device__ int counted, lock;
EVENS {
    INDEX;
    if (lock == 0 && atomicCAS(&lock, 0, 1) == 0) {
        counted += 1;
        atomicCAS(&lock, 1, 0);
    }
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// raises the largest by atomicCAS, and uses what it saw: non_deterministic
__device__ int largest;
__global__ void reset() { largest = -1; }
__global__ void find(const float* x, const float* y, float* out, int n) {
    INDEX;
    const int seen = largest;
    for (int old = seen; i > old;) {
        const int assumed = old;
        old = atomicCAS(&largest, assumed, i);
        if (old == assumed) break;
    }
    if (i < n && i % 2 == 0) out[i] = seen <= i ? VALUE(i) : -1.0f;
}
//// launch
reset<<<1, 1>>>();
find<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// only looks at what atomicCAS raises: race
__device__ int largest;
__global__ void reset() { largest = 0; }
EVENS {
    INDEX;
    if (i == 0) atomicCAS(&largest, 0, n);
    if (i < n && i % 2 == 0) out[i] = largest > 1000000 ? 0.0f : VALUE(i);
}
//// launch
reset<<<1, 1>>>();
RIGHT;

//// uses the largest before it is known, which atomicCAS raises: race
EVENS {
    INDEX;
    __shared__ int most;
    if (threadIdx.x == 0) most = -1;
    __syncthreads();
    for (int old = -1; old < i;) {
        const int assumed = old;
        old = atomicCAS(&most, assumed, i);
        if (old == assumed) break;
    }
    if (i < n && i % 2 == 0) out[i] = most == -7 ? -1.0f : VALUE(i);
}

//// stops early at what atomicCAS and atomicAdd change: race
__device__ int largest;
EVENS {
    INDEX;
    for (int old = largest; old < i;) {
        const int assumed = old;
        old = atomicCAS(&largest, assumed, i);
        if (old == assumed) break;
    }
    if (i % 64 == 63) atomicAdd(&largest, 1);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}

//// takes a lock whose number rises by atomicCAS, and does not ask whether it has it: race
__device__ int counted, turn;
__global__ void reset() { turn = 0; }
EVENS {
    INDEX;
    const int mine = turn;
    atomicCAS(&turn, mine, mine + 1);
    counted = counted + 1;
    __threadfence();
    atomicCAS(&turn, mine + 1, mine + 2);
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
//// launch
reset<<<1, 1>>>();
RIGHT;
