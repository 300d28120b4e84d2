// One kernel for each tool of compute-sanitizer, with the mistake that the tool is there for, and one without.
// Called as a shard's program: `--batch FILE`, where FILE holds the name of the mistake.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int kThreads = 64;

__global__ void nothing(int* out) { out[threadIdx.x] = int(threadIdx.x); }

// The last thread writes one element too far.
__global__ void memcheck(int* out) { out[threadIdx.x + (threadIdx.x == kThreads - 1)] = 1; }

// No barrier between what the threads of one warp write and those of the other read.
__global__ void racecheck(int* out) {
    __shared__ int values[kThreads];
    values[threadIdx.x] = int(threadIdx.x);
    out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}

// Nothing was ever written to `out`.
__global__ void initcheck(int* out) {
    if (out[threadIdx.x] == 1) out[threadIdx.x] = 2;
}

// Some threads of the block do not come to its barrier.
__global__ void synccheck(int* out) {
    if (threadIdx.x < kThreads - 16) __syncthreads();
    out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
    char mistake[64] = "";
    std::FILE* file = argc == 3 ? std::fopen(argv[2], "r") : nullptr;
    if (!file || std::fscanf(file, "%63s", mistake) != 1) return 2;
    std::fclose(file);
    const struct {
        const char* name;
        void (*kernel)(int*);
    } kernels[] = {
        {"nothing", nothing},     {"memcheck", memcheck},   {"racecheck", racecheck},
        {"initcheck", initcheck}, {"synccheck", synccheck},
    };
    for (const auto& one : kernels) {
        if (std::strcmp(one.name, mistake) != 0) continue;
        int* out = nullptr;
        if (cudaMalloc(&out, kThreads * sizeof(int)) != cudaSuccess) return 3;
        one.kernel<<<1, kThreads>>>(out);
        const cudaError_t status = cudaDeviceSynchronize();
        cudaFree(out);
        return status == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    return 2;
}
