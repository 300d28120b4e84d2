// Timing of a shard's program, launch by launch: this header stands before it, and what its samples' `main`
// calls of the runtime comes by here. Before each launch all arrays are as they were uploaded, so that every
// launch does the same work, and on a GPU the L2 cache is full of something else. What cudaEventElapsedTime
// gives goes to the file `times`, a line a launch; on a GPU the file `device` tells which one it is.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace weft_speed {

struct Upload {
    void* array;
    void* kept;
    size_t bytes;
};

struct State {
    std::vector<Upload> uploads;
    bool in_launch = false;  // between the two events around one
    bool described = false;
    void* flushed = nullptr;
    size_t flushed_bytes = 0;
};

inline State& state() {
    static State all;
    return all;
}

inline void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "timing: %s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

inline std::FILE* open(const char* name, const char* mode) {
    std::FILE* file = std::fopen(name, mode);
    if (file) return file;
    std::perror(name);
    std::exit(EXIT_FAILURE);
}

#ifndef WEFT_CPU_UNWATCHED  // the CPU device has no such attributes
inline int attribute(cudaDeviceAttr name, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value : 0;
}

// Which GPU it is, and memory to fill its L2 cache with: twice as much as it holds.
inline void describe() {
    State& s = state();
    if (s.described) return;
    s.described = true;
    int device = 0, driver = 0, runtime = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&device));
    check(cudaGetDeviceProperties(&properties, device));
    check(cudaDriverGetVersion(&driver));
    check(cudaRuntimeGetVersion(&runtime));
    const int cache = attribute(cudaDevAttrL2CacheSize, device);
    std::FILE* file = open("device", "w");
    std::fprintf(file, "name %s\n", properties.name);
    std::fprintf(file, "compute_capability %d.%d\n", properties.major, properties.minor);
    std::fprintf(file, "cuda_driver %d\ncuda_runtime %d\n", driver, runtime);
    std::fprintf(file, "l2_bytes %d\n", cache);
    std::fprintf(file, "memory_clock_khz %d\n", attribute(cudaDevAttrMemoryClockRate, device));
    std::fprintf(file, "memory_bus_bits %d\n", attribute(cudaDevAttrGlobalMemoryBusWidth, device));
    std::fclose(file);
    s.flushed_bytes = 2 * size_t(cache);
    if (cache > 0) check(cudaMalloc(&s.flushed, s.flushed_bytes));
}
#else
inline void describe() {}
#endif

inline cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    const cudaError_t status = cudaMemcpy(to, from, bytes, kind);
    if (status != cudaSuccess || kind != cudaMemcpyHostToDevice || bytes == 0) return status;
    void* kept = nullptr;
    check(cudaMalloc(&kept, bytes));
    check(cudaMemcpy(kept, to, bytes, cudaMemcpyDeviceToDevice));
    state().uploads.push_back({to, kept, bytes});
    return status;
}

inline cudaError_t release(void* pointer) {
    std::vector<Upload>& uploads = state().uploads;
    for (size_t i = 0; i < uploads.size(); ++i) {
        if (uploads[i].array != pointer) continue;
        check(cudaFree(uploads[i].kept));
        uploads.erase(uploads.begin() + i);
        break;
    }
    return cudaFree(pointer);
}

// Work that is under way in the stream before the event: the event's time is that of its end.
inline void prepare() {
    describe();
    State& s = state();
    for (const Upload& one : s.uploads) {
        check(cudaMemcpy(one.array, one.kept, one.bytes, cudaMemcpyDeviceToDevice));
    }
    if (s.flushed) check(cudaMemset(s.flushed, 1, s.flushed_bytes));
}

// A sample's `main` records two events around each launch; events in launchers name a stream.
inline cudaError_t record(cudaEvent_t event) {
    State& s = state();
    if (!s.in_launch) prepare();
    s.in_launch = !s.in_launch;
    return cudaEventRecord(event);
}

inline cudaError_t record(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); }

inline cudaError_t elapsed(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const cudaError_t status = cudaEventElapsedTime(milliseconds, begin, end);
    if (status != cudaSuccess) return status;
    std::FILE* file = open("times", "a");
    std::fprintf(file, "%.9g\n", double(*milliseconds));
    std::fclose(file);
    return status;
}

}  // namespace weft_speed

#define cudaMemcpy(...) weft_speed::copy(__VA_ARGS__)
#define cudaFree(...) weft_speed::release(__VA_ARGS__)
#define cudaEventRecord(...) weft_speed::record(__VA_ARGS__)
#define cudaEventElapsedTime(...) weft_speed::elapsed(__VA_ARGS__)
