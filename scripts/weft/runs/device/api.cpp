// Errors and device properties; and what happens when a program faults.
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "device.h"

namespace weft_cpu {
namespace {

cudaError_t last_error = cudaSuccess;

extern "C" const char __ehdr_start[], etext[];  // of the program, by the linker

Order read_order() {
    const char* order = getenv("WEFT_THREAD_ORDER");
    if (!order || !strcmp(order, "forward")) return Order::kForward;
    if (!strcmp(order, "reverse")) return Order::kReverse;
    if (!strcmp(order, "random")) return Order::kRandom;
    stop(kCudaError, "WEFT_THREAD_ORDER is '%s' (allowed: forward, reverse, random)", order);
}

bool read_kernels() {
    const char* setting = getenv("WEFT_KERNELS");
    if (!setting || !strcmp(setting, "on")) return true;
    if (!strcmp(setting, "off")) return false;
    stop(kCudaError, "WEFT_KERNELS is '%s' (allowed: on, off)", setting);
}

unsigned int read_one_block_axes() {
    unsigned int axes = 0;
    const char* names = getenv("WEFT_ONE_BLOCK");
    for (; names && *names; ++names) {
        if (*names < 'x' || *names > 'z') stop(kCudaError, "WEFT_ONE_BLOCK names '%c' (allowed: x, y, z)", *names);
        axes |= 1u << (*names - 'x');
    }
    return axes;
}

// Names the fault and ends the program; what the device knows nothing about ends it as it would without the
// handler.
void on_fault(int signal_number, siginfo_t* info, void* context) {
    const auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* const code = reinterpret_cast<void*>(registers[REG_RIP]);
    if (signal_number == SIGSEGV && open_stack(info->si_addr, reinterpret_cast<void*>(registers[REG_RBP]), code)) return;
    watch_fault();
    const char* access = registers[REG_ERR] & 2 ? "write" : "read";
    char place[128];
    if (signal_number == SIGSEGV && info->si_code > 0 && info->si_code != SI_KERNEL) {
        uint3 thread, where;
        if (!running_thread(&thread, &where)) {
            if (open_managed(info->si_addr)) return;
            const bool closed = is_closed(info->si_addr) || is_constant(info->si_addr);
            stop(kHostAccess, "the host %ss %s", access, closed ? "device memory" : "what is not its memory");
        }
        if (is_constant(info->si_addr)) stop(kCudaError, "a %s in constant memory", access);
        const CodePlace at = code_place({code});
        describe_address(info->si_addr, place, sizeof place);
        if (place[0]) stop(kOutOfBounds, "%s %s%s", access, place, at.text);
        if (reinterpret_cast<uintptr_t>(info->si_addr) < 4096)
            stop(kOutOfBounds, "%s through a null pointer%s", access, at.text);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

struct Setup {
    // Everything that is set from outside is read here, and forgotten: a program does not know how it is run.
    Setup() {
        stack_t alternative{};
        alternative.ss_size = 65536;
        alternative.ss_sp = malloc(alternative.ss_size);
        sigaltstack(&alternative, nullptr);
        struct sigaction action{};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigaction(SIGSEGV, &action, nullptr);
        sigaction(SIGBUS, &action, nullptr);
        order();
        kernels_run();
        one_block_axes();
        kernels_run_apart();
        is_watched();
        rounding();
        card();
        for (const char* name : {"WEFT_THREAD_ORDER", "WEFT_KERNELS", "WEFT_ONE_BLOCK", "WEFT_KERNEL_PROCESS",
                                 "WEFT_SHADOW_MEMORY", "WEFT_ROUNDING", "WEFT_CARDS", "WEFT_ARCHITECTURE"})
            unsetenv(name);
        keep_variables();
        close_constants();
        atexit([] {
            end_strangers_turn();
            check_guards();
        });
    }
};
[[gnu::init_priority(101)]] Setup setup;

}  // namespace

void stop(Status status, const char* format, ...) {
    uint3 thread, where;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (running_thread(&thread, &where) && length < 400) {
        length += snprintf(text + length, sizeof text - length, ", thread (%u, %u, %u) of block (%u, %u, %u)",
                           thread.x, thread.y, thread.z, where.x, where.y, where.z);
    }
    fflush(stdout);
    dprintf(STDERR_FILENO, "CPU device: %s\n", text);
    _exit(status);
}

CodePlace code_place(Instruction instruction) {
    CodePlace place{};
    const auto offset = [](const void* byte) { return static_cast<size_t>(static_cast<const char*>(byte) - __ehdr_start); };
    const auto is_in_program = [&](const void* byte) { return offset(byte) < offset(etext); };
    if (!is_in_program(instruction.at)) return place;
    const int length = snprintf(place.text, sizeof place.text, " [at +0x%zx", offset(instruction.at));
    char* rest = place.text + length;
    if (is_in_program(instruction.call)) rest += sprintf(rest, " +0x%zx", offset(instruction.call));
    strcpy(rest, "]");
    return place;
}

Order order() {
    static const Order chosen = read_order();
    return chosen;
}

bool kernels_run() {
    static const bool chosen = read_kernels();
    return chosen;
}

unsigned int one_block_axes() {
    static const unsigned int chosen = read_one_block_axes();
    return chosen;
}

unsigned char poison() {
    switch (order()) {
        case Order::kForward:
            return 0xA5;
        case Order::kReverse:
            return 0xFF;  // NaN in every type of float, which no factor of zero hides
        case Order::kRandom:
            return 0;  // what a program is lucky with: it must not live on it, and bool has no other false
    }
    return 0;
}

cudaError_t fail(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

}  // namespace weft_cpu

using namespace weft_cpu;

#define WEFT_CPU_ERRORS(entry)                                                                               \
    entry(cudaSuccess, "no error") entry(cudaErrorInvalidValue, "invalid argument") entry(                   \
        cudaErrorMemoryAllocation, "out of memory") entry(cudaErrorInitializationError,                      \
                                                          "initialization error")                            \
        entry(cudaErrorInvalidConfiguration, "invalid configuration argument") entry(                        \
            cudaErrorInvalidSymbol, "invalid device symbol") entry(cudaErrorInvalidDevicePointer,            \
                                                                   "invalid device pointer")                 \
            entry(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy") entry(               \
                cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version") \
                entry(cudaErrorInvalidDeviceFunction, "invalid device function") entry(                      \
                    cudaErrorNoDevice, "no CUDA-capable device is detected")                                 \
                    entry(cudaErrorInvalidDevice, "invalid device ordinal") entry(                           \
                        cudaErrorInvalidResourceHandle, "invalid resource handle")                           \
                        entry(cudaErrorNotReady, "device not ready") entry(                                  \
                            cudaErrorIllegalAddress, "an illegal memory access was encountered")             \
                            entry(cudaErrorLaunchOutOfResources, "too many resources requested for launch")  \
                                entry(cudaErrorLaunchTimeout, "the launch timed out and was terminated")     \
                                    entry(cudaErrorAssert, "device-side assert triggered")                   \
                                        entry(cudaErrorMisalignedAddress, "misaligned address")              \
                                            entry(cudaErrorLaunchFailure, "unspecified launch failure")      \
                                                entry(cudaErrorNotSupported, "operation not supported")      \
                                                    entry(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch") entry(cudaErrorIllegalState, "the operation cannot be performed in the present state") entry(cudaErrorUnknown, "unknown error")

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define WEFT_CPU_NAME(code, text) \
    case code:                    \
        return #code;
        WEFT_CPU_ERRORS(WEFT_CPU_NAME)
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define WEFT_CPU_TEXT(code, text) \
    case code:                    \
        return text;
        WEFT_CPU_ERRORS(WEFT_CPU_TEXT)
    }
    return "unrecognized error code";
}

cudaError_t cudaGetLastError() {
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice); }

namespace weft_cpu {
namespace {

Card read_card() {
    // Small ones, since all threads of a cooperative launch have a stack here.
    static const Card small[] = {
        {"NVIDIA GeForce GTX 1660", 75, 22, 1024, 16, 65536, 1572864, 6442450944},
        {"NVIDIA GeForce RTX 2050", 86, 16, 1536, 16, 101376, 2097152, 4294967296},
        {"Orin", 87, 16, 1536, 16, 166912, 4194304, 8589934592},
    };
    static const Card large = {"NVIDIA H100 PCIe", 90, 114, 2048, 32, 232448, 52428800, 85899345920};
    const char* cards = getenv("WEFT_CARDS");
    const bool all = cards && !strcmp(cards, "all");
    if (cards && !all && strcmp(cards, "small")) stop(kCudaError, "WEFT_CARDS is '%s' (allowed: small, all)", cards);
    Card chosen = all && order() == Order::kRandom ? large : small[static_cast<int>(order())];
    if (const char* architecture = getenv("WEFT_ARCHITECTURE")) chosen.capability = atoi(architecture) / 10;
    return chosen;
}

}  // namespace

const Card& card() {
    static const Card chosen = read_card();
    return chosen;
}

unsigned long long most_at_once() { return 1ull * card().threads * card().multiprocessors; }

}  // namespace weft_cpu

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
    *total = card().bytes;
    *available = *total - (*total >> 6);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) return fail(cudaErrorInvalidDevice);
    *properties = {};
    snprintf(properties->name, sizeof properties->name, "%s", card().name);
    properties->totalGlobalMem = card().bytes;
    properties->sharedMemPerBlock = 49152;
    properties->sharedMemPerBlockOptin = properties->sharedMemPerMultiprocessor = card().shared_bytes;
    properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
    properties->warpSize = 32;
    properties->memPitch = 0x7fffffff;
    properties->maxThreadsPerBlock = 1024;
    properties->maxThreadsPerMultiProcessor = card().threads;
    const int block[3] = {1024, 1024, 64}, grid[3] = {0x7fffffff, 65535, 65535};
    for (int i = 0; i < 3; ++i) {
        properties->maxThreadsDim[i] = block[i];
        properties->maxGridSize[i] = grid[i];
    }
    properties->totalConstMem = 65536;
    properties->major = card().capability / 10;
    properties->minor = card().capability % 10;
    properties->multiProcessorCount = card().multiprocessors;
    properties->maxBlocksPerMultiProcessor = card().blocks;
    properties->unifiedAddressing = properties->concurrentKernels = 1;
    properties->managedMemory = properties->cooperativeLaunch = properties->memoryPoolsSupported = 1;
    properties->asyncEngineCount = 1;
    properties->l2CacheSize = card().cache_bytes;
    properties->memoryBusWidth = 256;
    properties->textureAlignment = 512;
    properties->texturePitchAlignment = 32;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (device != 0) return fail(cudaErrorInvalidDevice);
    cudaDeviceProp of_device;
    cudaGetDeviceProperties(&of_device, device);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            *value = of_device.maxThreadsPerBlock;
            return cudaSuccess;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            *value = of_device.maxThreadsPerMultiProcessor;
            return cudaSuccess;
        case cudaDevAttrMaxBlockDimZ:
            *value = of_device.maxThreadsDim[2];
            return cudaSuccess;
        case cudaDevAttrMaxGridDimX:
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            *value = of_device.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
            return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = static_cast<int>(of_device.sharedMemPerBlock);
            return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = static_cast<int>(of_device.sharedMemPerBlockOptin);
            return cudaSuccess;
        case cudaDevAttrTotalConstantMemory:
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            *value = 65536;
            return cudaSuccess;
        case cudaDevAttrWarpSize:
            *value = of_device.warpSize;
            return cudaSuccess;
        case cudaDevAttrL2CacheSize:
            *value = of_device.l2CacheSize;
            return cudaSuccess;
        case cudaDevAttrMultiProcessorCount:
            *value = of_device.multiProcessorCount;
            return cudaSuccess;
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported:
            *value = 1;
            return cudaSuccess;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            *value = of_device.maxBlocksPerMultiProcessor;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMajor:
            *value = of_device.major;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMinor:
            *value = of_device.minor;
            return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }

cudaError_t cudaDriverGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

long long clock64() {
    static const long long steps[] = {301, 29, 20011};
    static long long cycles = (static_cast<long long>(order()) + 1) << 36;
    return cycles += steps[static_cast<int>(order())];
}
