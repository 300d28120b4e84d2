// Streams and events. What is launched has run when the launch returns, so that all there is to know of a stream is
// whether the host may rely on its work: streams that do not wait for the default stream, and that nobody has waited
// for, have work whose results a copy would miss on a GPU.
#include <time.h>

#include <vector>

#include "device.h"

struct CUstream_st {
    bool non_blocking;
    bool destroyed;
    unsigned long long work, done;  // pieces of work, and as many of them as the host or other streams have waited for
};
struct CUevent_st {
    double recorded;
    CUstream_st* stream;      // null for the default stream
    unsigned long long work;  // of the stream, when the event was recorded
};

namespace weft_cpu {
namespace {

// Streams outlive their handles, as their work does.
std::vector<CUstream_st*>& streams() {
    static auto* all = new std::vector<CUstream_st*>;
    return *all;
}

CUstream_st* known(cudaStream_t stream) {
    for (CUstream_st* one : streams()) {
        if (one == stream) return one;
    }
    return nullptr;
}

// What comes after the event comes after the work before it; false if there is none.
bool pass(cudaEvent_t event) {
    if (!event->stream || event->work <= event->stream->done) return false;
    event->stream->done = event->work;
    return true;
}

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace

bool is_stream(cudaStream_t stream) {
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return true;
    const CUstream_st* one = known(stream);
    return one && !one->destroyed;
}

void add_work(cudaStream_t stream) {
    if (CUstream_st* one = known(stream)) ++one->work;
}

void finish_all_work() {
    for (CUstream_st* one : streams()) one->done = one->work;
}

void check_finished_work() {
    for (const CUstream_st* one : streams()) {
        if (one->non_blocking && one->done < one->work)
            stop(kRace, "race: a copy to the host, after work on a stream (cudaStreamNonBlocking) that nobody has waited for");
    }
}

}  // namespace weft_cpu

using namespace weft_cpu;

cudaError_t cudaDeviceSynchronize() {
    finish_all_work();
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    *stream = new CUstream_st{(flags & cudaStreamNonBlocking) != 0, false, 0, 0};
    streams().push_back(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    CUstream_st* one = known(stream);
    if (!one || one->destroyed) return fail(cudaErrorInvalidResourceHandle);
    one->destroyed = true;
    return cudaSuccess;  // its work goes on
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
    if (CUstream_st* one = known(stream)) one->done = one->work;
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    if (!event || !is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
    // Whoever waits for this stream waits for the event's, too.
    if (pass(event)) add_work(stream);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new CUevent_st{-1.0, nullptr, 0};
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) { return cudaEventCreate(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event) return fail(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (!event || !is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
    event->recorded = now();
    event->stream = known(stream);
    event->work = event->stream ? event->stream->work : 0;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!event) return fail(cudaErrorInvalidResourceHandle);
    pass(event);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!start || !end || start->recorded < 0 || end->recorded < 0)
        return fail(cudaErrorInvalidResourceHandle);
    *milliseconds = static_cast<float>(end->recorded - start->recorded);
    return cudaSuccess;
}
