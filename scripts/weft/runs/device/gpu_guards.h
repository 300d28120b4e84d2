// Guard bands on a GPU: this header stands before a shard's program, and every allocation of its host code then
// lies between two bands of a known byte, which are looked at when it is freed. The CPU device has page
// protection for that. What a band costs is some memory; device code is not touched.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace weft_guards {

constexpr size_t kBandBytes = 4096;  // a multiple of the alignment that cudaMalloc promises
constexpr unsigned char kBandByte = 0xA5;
constexpr int kOutOfBounds = 81;  // the exit status that the CPU device has for it

// The size of each allocation, by the pointer that the program has.
inline std::map<void*, size_t>& allocations() {
    static std::map<void*, size_t> all;
    return all;
}

inline cudaError_t allocate(void** pointer, size_t bytes) {
    if (bytes == 0) return cudaMalloc(pointer, bytes);
    unsigned char* begin = nullptr;
    cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&begin), bytes + 2 * kBandBytes);
    if (status == cudaSuccess) status = cudaMemset(begin, kBandByte, kBandBytes);
    if (status == cudaSuccess) status = cudaMemset(begin + kBandBytes + bytes, kBandByte, kBandBytes);
    if (status != cudaSuccess) return status;
    *pointer = begin + kBandBytes;
    allocations()[*pointer] = bytes;
    return cudaSuccess;
}

template <typename T>
cudaError_t allocate(T** pointer, size_t bytes) {
    return allocate(reinterpret_cast<void**>(pointer), bytes);
}

enum class Side { kBefore, kBehind };

// Ends the program if the band that begins at `band` is not as it was made.
inline cudaError_t check(const unsigned char* band, Side side, size_t bytes) {
    std::vector<unsigned char> found(kBandBytes);
    const cudaError_t status = cudaMemcpy(found.data(), band, kBandBytes, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) return status;
    for (size_t i = 0; i < kBandBytes; ++i) {
        if (found[i] == kBandByte) continue;
        const char* const where = side == Side::kBefore ? "before" : "behind";
        const size_t distance = side == Side::kBefore ? kBandBytes - i : i + 1;
        std::fprintf(stderr, "GPU device: a write %zu bytes %s an allocation of %zu bytes\n", distance, where, bytes);
        std::fflush(stderr);
        std::_Exit(kOutOfBounds);
    }
    return cudaSuccess;
}

inline cudaError_t release(void* pointer) {
    const auto found = allocations().find(pointer);
    if (found == allocations().end()) return cudaFree(pointer);
    const size_t bytes = found->second;
    allocations().erase(found);
    unsigned char* const begin = static_cast<unsigned char*>(pointer);
    const cudaError_t before = check(begin - kBandBytes, Side::kBefore, bytes);
    const cudaError_t behind = check(begin + bytes, Side::kBehind, bytes);
    const cudaError_t freed = cudaFree(begin - kBandBytes);
    return before != cudaSuccess ? before : behind != cudaSuccess ? behind : freed;
}

}  // namespace weft_guards

#define cudaMalloc(...) weft_guards::allocate(__VA_ARGS__)
#define cudaFree(...) weft_guards::release(__VA_ARGS__)
