// What is known of kernels by their addresses: how much dynamic shared memory each may have, and how many threads.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "device.h"

// What kernels have of shared memory without any that a launch asks for, and the largest block for which a GPU has
// registers (weft.runs.candidate).
struct Needs {
    const void* kernel;
    size_t shared_bytes;
    size_t most_threads;
};
extern "C" const Needs __start_weft_kernels[] __attribute__((weak));
extern "C" const Needs __stop_weft_kernels[] __attribute__((weak));

namespace weft_cpu {
namespace {

constexpr size_t kDynamicShared = 49152;
constexpr size_t kMostThreads = 1024;

struct OptedIn {
    const void* kernel;
    size_t bytes;
};

std::vector<OptedIn>& opted_in() {
    static auto* all = new std::vector<OptedIn>;
    return *all;
}

// Null where nobody knows.
const Needs* needs_of(const void* kernel) {
    for (const Needs* one = __start_weft_kernels; one != __stop_weft_kernels; ++one) {
        if (one->kernel == kernel) return one;
    }
    return nullptr;
}

size_t static_shared(const void* kernel) {
    const Needs* needs = needs_of(kernel);
    return needs ? needs->shared_bytes : 0;
}

size_t limits[3] = {1024, size_t{1} << 20, size_t{1} << 23};

}  // namespace

// Where nobody knows which instance of a template is launched, what any kernel may have.
size_t most_dynamic_shared(const void* kernel) {
    size_t most = kDynamicShared - static_shared(kernel);
    for (const OptedIn& one : opted_in()) {
        if (!kernel || one.kernel == kernel) most = std::max(most, one.bytes);
    }
    return most;
}

size_t most_threads(const void* kernel) {
    const Needs* needs = needs_of(kernel);
    return needs ? needs->most_threads : kMostThreads;
}

size_t stack_limit() { return limits[cudaLimitStackSize]; }

}  // namespace weft_cpu

using namespace weft_cpu;

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (!kernel) return fail(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
        return fail(cudaErrorInvalidValue);
    const auto most = static_cast<size_t>(card().shared_bytes);
    if (static_cast<size_t>(value) + static_shared(kernel) > most) return fail(cudaErrorInvalidValue);
    opted_in().push_back({kernel, static_cast<size_t>(value)});
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    if (!attributes || !kernel) return fail(cudaErrorInvalidValue);
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(most_threads(kernel));
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = card().capability;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(most_dynamic_shared(kernel));
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads, size_t) {
    if (!blocks || threads <= 0) return fail(cudaErrorInvalidValue);
    *blocks = std::min(card().threads / threads, card().blocks);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (limit > cudaLimitMallocHeapSize) return fail(cudaErrorInvalidValue);
    limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (!value || limit > cudaLimitMallocHeapSize) return fail(cudaErrorInvalidValue);
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    if (!attributes) return fail(cudaErrorInvalidValue);
    void* const address = const_cast<void*>(pointer);
    const bool device = is_device(pointer, 1);
    *attributes = {device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, device ? 0 : -2,
                   device ? address : nullptr, device ? nullptr : address};
    return cudaSuccess;
}
