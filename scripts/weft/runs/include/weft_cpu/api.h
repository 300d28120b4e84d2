// The CUDA Runtime API's calls that the programs use; defined in device/api.cpp and device/memory.cpp.
#pragma once

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999,
};
using cudaError_t = cudaError;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMemoryPoolsSupported = 115,
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major;
    int minor;
    int multiProcessorCount;
    int memoryBusWidth;
    int l2CacheSize;
    int maxThreadsPerMultiProcessor;
    size_t sharedMemPerMultiprocessor;
    size_t sharedMemPerBlockOptin;
    int maxBlocksPerMultiProcessor;
    int unifiedAddressing;
    int concurrentKernels;
    int regsPerMultiprocessor;
    int managedMemory;
    int asyncEngineCount;
    int integrated;
    int ECCEnabled;
    int cooperativeLaunch;
    int memoryPoolsSupported;
    size_t textureAlignment;
    size_t texturePitchAlignment;
};

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum : unsigned int {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventRecordDefault = 0,
    cudaEventWaitDefault = 0,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
};

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(size_t* available, size_t* total);

cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);

// Work of one stream that is kept, and given as often as it is launched.
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraph_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone = 0, cudaStreamCaptureStatusActive = 1 };
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* launched, cudaGraph_t graph, unsigned long long = 0) {
    *launched = graph;
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* launched, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
    return cudaGraphInstantiate(launched, graph);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

namespace weft_cpu {

// Where `__device__` and `__constant__` variables live: ordinary memory that copies may name as device
// memory.
void register_symbol(const void* address, size_t bytes);
cudaError_t fail(cudaError_t error);

// A stream has one more piece of work, `run(context)`, of which others may depend if it `counts`; what is done once is
// dropped then, `drop(context)`.
cudaError_t enqueue(cudaStream_t stream, void (*run)(void*), void (*drop)(void*), void* context, bool counts);

template <typename Deferred>
auto defer(cudaStream_t stream, Deferred deferred, bool counts = true) {
    auto run = [](void* context) { (*static_cast<Deferred*>(context))(); };
    auto drop = [](void* context) { delete static_cast<Deferred*>(context); };
    return enqueue(stream, run, drop, new Deferred(std::move(deferred)), counts);
}

// Bytes of the host's that work keeps, until it is dropped.
class Kept {
public:
    explicit Kept(unsigned char* bytes) : bytes_(bytes) {}
    Kept(Kept&& other) : bytes_(std::exchange(other.bytes_, nullptr)) {}
    ~Kept() { delete[] bytes_; }
    const unsigned char* get() const { return bytes_; }

private:
    unsigned char* bytes_;
};

// cudaSuccess if it is a copy that CUDA makes; whether an `Async` copy keeps to the host's memory at `host` until it is
// made: it does to what cudaMallocHost gave.
cudaError_t check_copy(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
bool is_device(const void* pointer, size_t bytes);
bool is_pinned(const void* host);

// Of an allocation that a stream gives: nobody reaches it, until it is given.
void give_later(const void* start);
void give_now(const void* start);

// What `cudaStream_t stream = nullptr` of a launcher's parameters is rewritten to: a stream for one call. A launcher that
// leaves work on another one ends the program (of candidates; else it is the default stream).
cudaStream_t begin_own_stream();
void end_own_stream(cudaStream_t stream);
class OwnStream {
public:
    OwnStream() : stream_(begin_own_stream()) {}
    ~OwnStream() { end_own_stream(stream_); }
    OwnStream(const OwnStream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    const cudaStream_t stream_;
};

}  // namespace weft_cpu

template <typename T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <typename T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <typename T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int = 0) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}

template <typename T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}

// Whose work comes before that of the stream that gives it finds no memory there.
template <typename T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
    const cudaError_t status = cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
    if (status != cudaSuccess || bytes == 0) return status;
    void* const start = *pointer;
    weft_cpu::give_later(start);
    return weft_cpu::defer(stream, [=] { weft_cpu::give_now(start); }, false);
}

inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return weft_cpu::defer(stream, [=] { cudaFree(pointer); }, false);
}

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
    const cudaError_t wrong = weft_cpu::check_copy(to, from, bytes, kind);
    if (wrong != cudaSuccess || bytes == 0) return wrong;
    unsigned char* const staged = weft_cpu::is_device(from, 1) || weft_cpu::is_pinned(from) ? nullptr : new unsigned char[bytes];
    if (staged) memcpy(staged, from, bytes);
    const cudaError_t status = weft_cpu::defer(stream, [=, kept = weft_cpu::Kept(staged)] {
        cudaMemcpy(to, kept.get() ? kept.get() : from, bytes, kind);
    });
    if (status != cudaSuccess || weft_cpu::is_device(to, 1) || weft_cpu::is_pinned(to)) return status;
    return cudaStreamSynchronize(stream);
}

inline cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t status = cudaMemset(static_cast<unsigned char*>(pointer) + row * pitch, value, width);
        if (status != cudaSuccess) return status;
    }
    return cudaSuccess;
}

inline cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream = nullptr) {
    return weft_cpu::defer(stream, [=] { cudaMemset2D(pointer, pitch, value, width, height); });
}

inline cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr) {
    if (bytes && !weft_cpu::is_device(pointer, bytes)) return weft_cpu::fail(cudaErrorInvalidValue);
    return weft_cpu::defer(stream, [=] { cudaMemset(pointer, value, bytes); });
}

template <typename T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    *pointer = const_cast<void*>(static_cast<const volatile void*>(&symbol));
    weft_cpu::register_symbol(*pointer, sizeof(T));
    return cudaSuccess;
}

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    void* address;
    cudaGetSymbolAddress(&address, symbol);
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return weft_cpu::fail(cudaErrorInvalidValue);
    return cudaMemcpy(static_cast<unsigned char*>(address) + offset, from, bytes, kind);
}

template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
    void* address;
    cudaGetSymbolAddress(&address, symbol);
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return weft_cpu::fail(cudaErrorInvalidValue);
    return cudaMemcpyAsync(static_cast<unsigned char*>(address) + offset, from, bytes, kind, stream);
}

template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    void* address;
    cudaGetSymbolAddress(&address, symbol);
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return weft_cpu::fail(cudaErrorInvalidValue);
    return cudaMemcpy(to, static_cast<unsigned char*>(address) + offset, bytes, kind);
}

template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
    void* address;
    cudaGetSymbolAddress(&address, symbol);
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return weft_cpu::fail(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, static_cast<unsigned char*>(address) + offset, bytes, kind, stream);
}

template <typename T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}
