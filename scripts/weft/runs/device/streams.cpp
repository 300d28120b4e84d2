// Streams and events. Work runs as late as the program allows: when the host waits for it, or something that it waits for
// comes after it. Then the streams that got work last come first: in forward order one after the other, in reverse
// order by turns, in random order as they are drawn. So who has forgotten to wait finds what was there before.
//
// The default stream is the legacy one: its work comes after all work of streams that are not cudaStreamNonBlocking,
// and theirs after its (CUDA Runtime API, "Stream synchronization behavior"). Copies that are no `Async`, from or to the
// host, are done at once, after the work of the default stream; those within the device, and cudaMemset, are its work.
#include <time.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "device.h"
#include "footprints.h"

namespace weft_cpu {

// Of each stream, by its index, the latest work that has ended before something.
using Clock = std::vector<unsigned long long>;

struct Work {
    unsigned long long number;  // of all work, in the order in which it was given
    void (*run)(void*);         // null where it only waits
    void (*drop)(void*);        // null where the context is kept
    void* context;
    bool counts;                       // it changes what others may read
    CUstream_st* after;                // it waits for the work of this stream
    unsigned long long after_number;  // up to this one
    Clock before{};
};

}  // namespace weft_cpu

// It outlives its handle, as work does.
struct CUgraph_st {
    std::vector<weft_cpu::Work> work{};
};
struct CUstream_st {
    bool non_blocking;
    bool destroyed = false, asked = false;
    CUgraph_st* captured = nullptr;  // what its work goes to at present
    std::deque<weft_cpu::Work> work{};
    size_t index = 0;
    weft_cpu::Clock clock{};  // of the work that it has been given
};
struct CUevent_st {
    double recorded;       // below 0 until that has run
    CUstream_st* stream;   // null if it was never recorded
    unsigned long long number;
    bool asked;
    weft_cpu::Clock clock{};
};

namespace weft_cpu {
namespace {

constexpr unsigned long long kAll = ~0ull;

CUstream_st* legacy() {
    static auto* const stream = new CUstream_st{false};
    return stream;
}

CUstream_st* per_thread() {
    static auto* const stream = new CUstream_st{false};
    return stream;
}

// Streams outlive their handles, as their work does; and so do events, which their work names.
std::vector<CUstream_st*>& streams() {
    static auto* all = [] {
        per_thread()->index = 1;
        return new std::vector<CUstream_st*>{legacy(), per_thread()};
    }();
    return *all;
}

unsigned long long given = 0;  // pieces of work
bool working = false;
Clock of_host;  // what it has waited for
size_t running_stream = 0;
unsigned long long running_number = 0;
Clock running_after;  // what has ended before the work that runs

void add(CUstream_st* stream) {
    stream->index = streams().size();
    streams().push_back(stream);
}

void join(Clock& clock, const Clock& other) {
    if (clock.size() < other.size()) clock.resize(other.size());
    for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

// Null for what is no stream, or one no more.
CUstream_st* stream_of(cudaStream_t stream) {
    if (!stream || stream == cudaStreamLegacy) return legacy();
    if (stream == cudaStreamPerThread) return per_thread();
    for (CUstream_st* one : streams()) {
        if (one == stream && one != legacy() && one != per_thread()) return one->destroyed ? nullptr : one;
    }
    return nullptr;
}

void finish(CUstream_st* stream, unsigned long long number);

void finish_blocking(unsigned long long number) {
    const std::vector<CUstream_st*> all = streams();
    for (size_t i = all.size(); i-- > 0;) {
        if (!all[i]->non_blocking && all[i] != legacy()) finish(all[i], number);
    }
}

// Runs what comes next in a stream, after all that it waits for. That was given before it.
void run_next(CUstream_st* stream) {
    const Work next = stream->work.front();
    if (next.after) finish(next.after, next.after_number);
    if (stream == legacy()) finish_blocking(next.number);
    else if (!stream->non_blocking) finish(legacy(), next.number);
    stream->work.pop_front();
    working = true;
    running_stream = stream->index;
    running_number = next.number;
    running_after = next.before;
    if (next.run) next.run(next.context);
    if (next.drop) next.drop(next.context);
    working = false;
}

void finish(CUstream_st* stream, unsigned long long number) {
    while (!stream->work.empty() && stream->work.front().number <= number) run_next(stream);
}

// What other streams may do before a stream goes on comes first: frees, say, that do not wait for all of its work.
void finish_beside(const CUstream_st* stream) {
    const std::vector<CUstream_st*> all = streams();
    for (CUstream_st* one : all) {
        if (one != stream) finish(one, kAll);
    }
}

void give(CUstream_st* stream, void (*run)(void*), void (*drop)(void*), void* context, bool counts,
          CUstream_st* after = nullptr, unsigned long long after_number = 0) {
    join(stream->clock, of_host);
    for (const CUstream_st* one : streams()) {
        const bool is_before = stream == legacy() ? !one->non_blocking : one == legacy() && !stream->non_blocking;
        if (is_before) join(stream->clock, one->clock);
    }
    stream->work.push_back({++given, run, drop, context, counts, after, after_number, stream->clock});
    if (stream->clock.size() <= stream->index) stream->clock.resize(stream->index + 1);
    stream->clock[stream->index] = given;
}

void require_no_capture(const CUstream_st* stream) {
    if (stream->captured) stop(kUnsupported, "events while the work of a stream is captured for a graph");
}

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

// True the first time that the host asks for what is not done: it has to ask again.
bool is_late(bool& asked, bool done) {
    asked = !done && !asked;
    return asked;
}

}  // namespace

bool is_stream(cudaStream_t stream) { return stream_of(stream); }

bool is_working() { return working; }

RunningWork running_work() { return {running_stream, running_number}; }

bool has_ended_before(size_t stream, unsigned long long number) {
    return stream < running_after.size() && number <= running_after[stream];
}

cudaError_t enqueue(cudaStream_t stream, void (*run)(void*), void (*drop)(void*), void* context, bool counts) {
    CUstream_st* of = stream_of(stream);
    if (!of) return fail(cudaErrorInvalidResourceHandle);
    if (of->captured) of->captured->work.push_back({0, run, nullptr, context, counts, nullptr, 0, {}});
    else give(of, run, drop, context, counts);
    return cudaSuccess;
}

void finish_default_stream() {
    if (working) return;
    finish(legacy(), kAll);
    finish_blocking(kAll);
    for (const CUstream_st* one : streams()) {
        if (!one->non_blocking) join(of_host, one->clock);
    }
}

void finish_all_work() {
    if (working) return;
    static unsigned long long drawn = 20261123;
    for (size_t turn = 0;; ++turn) {
        std::vector<CUstream_st*> latest;
        for (CUstream_st* one : streams()) {
            if (!one->work.empty()) latest.push_back(one);
        }
        if (latest.empty()) break;
        std::sort(latest.begin(), latest.end(), [](const CUstream_st* one, const CUstream_st* other) {
            return one->work.back().number > other->work.back().number;
        });
        drawn = drawn * 6364136223846793005ull + 1442695040888963407ull;
        if (order() == Order::kForward) finish(latest[0], kAll);
        else run_next(latest[(order() == Order::kRandom ? drawn >> 33 : turn) % latest.size()]);
    }
    for (const CUstream_st* one : streams()) join(of_host, one->clock);
    footprints().forget();
}

void check_finished_work() {
    for (const CUstream_st* one : streams()) {
        if (one->non_blocking && !one->work.empty())
            stop(kRace, "race: a copy to the host, after work on a stream (cudaStreamNonBlocking) that nobody has waited for");
    }
}

cudaStream_t begin_own_stream() {
    // Only a stranger's launcher is asked whether it keeps to the stream that it gets.
    static auto* const own = kernels_run_apart() ? new CUstream_st{true} : nullptr;
    if (!own) return nullptr;
    if (streams().back() != own && !stream_of(own)) add(own);
    finish_all_work();
    return own;
}

void end_own_stream(cudaStream_t own) {
    if (!own) return;
    if (order() == Order::kReverse) finish_beside(own);
    finish(own, kAll);
    for (const CUstream_st* one : streams()) {
        for (const Work& work : one->work) {
            if (work.counts) stop(kRace, "race: a launcher leaves work on another stream than the one that it was given");
        }
    }
    finish_all_work();
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
    *stream = new CUstream_st{(flags & cudaStreamNonBlocking) != 0};
    add(*stream);
    footprints().prepare();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    CUstream_st* one = stream_of(stream);
    if (!one || one == legacy() || one == per_thread()) return fail(cudaErrorInvalidResourceHandle);
    one->destroyed = true;
    return cudaSuccess;  // its work goes on
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    CUstream_st* one = stream_of(stream);
    if (!one) return fail(cudaErrorInvalidResourceHandle);
    if (one == legacy()) finish_default_stream();
    else if (!working) finish(one, kAll);
    if (!working) join(of_host, one->clock);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    CUstream_st* one = stream_of(stream);
    if (!one) return fail(cudaErrorInvalidResourceHandle);
    return is_late(one->asked, one->work.empty()) ? cudaErrorNotReady : cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    CUstream_st* one = stream_of(stream);
    if (!event || !one) return fail(cudaErrorInvalidResourceHandle);
    require_no_capture(one);
    join(one->clock, event->clock);
    if (event->stream) give(one, nullptr, nullptr, nullptr, false, event->stream, event->number);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    CUstream_st* one = stream_of(stream);
    if (!one || one == legacy() || one->captured) return fail(cudaErrorIllegalState);
    one->captured = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    CUstream_st* one = stream_of(stream);
    if (!one || !graph || !one->captured) return fail(cudaErrorIllegalState);
    *graph = one->captured;
    one->captured = nullptr;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const CUstream_st* one = stream_of(stream);
    if (!one || !status) return fail(cudaErrorInvalidValue);
    *status = one->captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    CUstream_st* one = stream_of(stream);
    if (!one || !graph) return fail(cudaErrorInvalidValue);
    for (const Work& work : graph->work) give(one, work.run, nullptr, work.context, work.counts);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new CUevent_st{-1.0, nullptr, 0, false, {}};
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) { return cudaEventCreate(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return event ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    CUstream_st* one = stream_of(stream);
    if (!event || !one) return fail(cudaErrorInvalidResourceHandle);
    require_no_capture(one);
    give(one, [](void* recorded) { static_cast<CUevent_st*>(recorded)->recorded = now(); }, nullptr, event, false);
    *event = {-1.0, one, given, false, one->clock};
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!event) return fail(cudaErrorInvalidResourceHandle);
    if (event->stream) finish(event->stream, event->number);
    if (!working) join(of_host, event->clock);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (!event) return fail(cudaErrorInvalidResourceHandle);
    const bool done = !event->stream || event->recorded >= 0;
    return is_late(event->asked, done) ? cudaErrorNotReady : cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!start || !end || !start->stream || !end->stream) return fail(cudaErrorInvalidResourceHandle);
    if (start->recorded < 0 || end->recorded < 0) return fail(cudaErrorNotReady);
    // In one of the orders nothing takes long: no result may hang on it.
    const double share = order() == Order::kReverse ? 1e-6 : 1.0;
    *milliseconds = static_cast<float>(share * (end->recorded - start->recorded));
    return cudaSuccess;
}
