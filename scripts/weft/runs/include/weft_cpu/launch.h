// Running a kernel: `kernel<<<grid, block, shared, stream>>>(a, b)` is rewritten to
// `weft_cpu::launch(kernel, grid, block, shared, stream)(a, b)`.
#pragma once

#ifdef WEFT_CPU_DEVICE
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
#else
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
#endif
extern const int warpSize;

// What g++ knows of a place in the text; C++17 has no header for it.
namespace std {
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned _M_line, _M_column;
    };
};
}  // namespace std

namespace weft_cpu {

// A launch of `kernel`, which is null where nobody knows which instance of a template it is.
struct Configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    const void* kernel;
    bool cooperative = false;  // its blocks may wait for each other
};

// Runs `thread(context)` once for every thread of the grid; `context` takes `context_bytes`. A configuration that CUDA would refuse sets the
// last error (cudaGetLastError) and runs nothing. Defined in device/schedule.cpp and
// device/shadow.cpp, as are the functions below.
void run(const Configuration& configuration, void (*thread)(void*), void* context, size_t context_bytes);

// What every byte of a local variable holds that was not set: no more than lucky is who reads it.
unsigned char unset_byte();

template <typename T>
inline T unset() {
    T value;
    memset(&value, unset_byte(), sizeof value);
    return value;
}
template <>
inline bool unset<bool>() {
    return unset_byte() != 0;
}

// A local variable of a class, or an array of them: what no constructor sets is unset.
template <typename T>
constexpr void leave_unset(T& variable) {
    if constexpr (std::is_volatile_v<T> || !std::is_trivially_default_constructible_v<T> || !std::is_trivially_copyable_v<T>) {
    } else if constexpr (std::is_copy_assignable_v<T>) {
        variable = unset<T>();  // so that its address stays unknown
    } else {
        memset(&variable, unset_byte(), sizeof variable);
    }
}

// Dynamic shared memory: what `extern __shared__ T name[]` is rewritten to.
extern unsigned char dynamic_shared[];

// What `__launch_bounds__(threads)` comes to where a kernel begins: ends the program if there are more.
void check_launch_bounds(unsigned int threads);

// The values that the lanes of a warp exchanged: value[i] is lane i's where `lanes` has bit i, else poison.
struct Exchange {
    unsigned int lanes;
    unsigned long long value[32];
};

// Where a barrier stands in the text: CUDA wants all threads at the same one.
using Site = const void*;  // to a std::source_location::__impl
#define WEFT_CPU_HERE __builtin_source_location()

// Waits for all threads of the block that have not exited; returns how many of them passed a true predicate,
// and how many there are.
struct BarrierCount {
    int truths, threads;
};
BarrierCount barrier(bool predicate, Site site);

// Waits for all threads of a cooperative launch.
void grid_barrier();

// What lanes of a warp do together: those that do something else do not take part.
enum class Together { kSynchronise, kAsk, kShuffle, kShuffleUp, kShuffleDown, kShuffleXor, kVote, kMatch, kReduce };

// Waits for the lanes in `mask` that have not exited, then gives each of them all their values.
const Exchange& exchange(Together together, unsigned int mask, unsigned long long value);

// Waits for the lanes in `mask` that have not exited; what they did before is done for all of them.
void sync_warp(unsigned int mask);

// A fence for the device's threads, or those of the block alone.
void fence(bool of_device);

// Atomic functions: those that change nothing when they come again (atomicMax), those that do, and those that take no
// notice of what was there; an atomicCAS that changes the place, and one that finds another value; and what only looks
// at it (atomicAdd of 0).
enum class Atomic { kNarrows, kCounts, kSets, kSwaps, kCompares, kLooks };

// An atomic function works on `bytes` bytes; `in_block` says that it is atomic for the threads of its block alone. True
// if it has to change nothing: what takes a lock finds what it would write, as if another thread had come first, and
// what looks finds what is there now, an older value. So does an atomicCAS of a place that all move one way. `left` is what an atomicCAS leaves there.
bool touch_atomically(const void* address, size_t bytes, Atomic what, bool in_block, unsigned long long left = 0);

// What a read before has found in an older state is as it is again.
void settle_reads();

// An atomicCAS of this place says whether what the thread has read there before was stale.
void check_guess(const void* address, size_t bytes);

// A read of memory that no thread of the launch may have written: it need not see that.
void touch_read_only(const void* address, size_t bytes);

[[noreturn]] void undefined_width(int width);

// Defined in device/async_copies.cpp. A copy of the thread's that is made when it waits, with zeros behind it; the end of
// a batch of them; a wait for all batches that have ended but the last ones; and the end of the program.
void copy_late(void* to, const void* from, size_t bytes, size_t zeros);
void close_late_copies();
void finish_late_copies(size_t open_batches);
[[noreturn]] void lacking(const char* what);

// The end of the program if it is no copy that one instruction makes.
void check_instruction(const void* to, const void* from, size_t bytes);

unsigned int lane();
// Those of the warp that have come here when none can go on elsewhere: no more are promised.
unsigned int active_lanes();

template <typename Thread>
void run_threads(const Configuration& configuration, Thread& thread) {
    run(configuration, [](void* context) { (*static_cast<Thread*>(context))(); }, &thread, sizeof thread);
}

template <typename... Parameters>
struct Launch {
    void (*kernel)(Parameters...);
    Configuration configuration;

    // Arguments are converted to the parameters' types once, as CUDA does; each thread gets its own copies.
    void operator()(Parameters... arguments) const {
        auto thread = [kernel = kernel, arguments...] { kernel(arguments...); };
        run_threads(configuration, thread);
    }
};

// Where the arguments tell which instance of a template is launched: `call` calls it.
template <typename Call>
struct LaunchCall {
    Call call;
    Configuration configuration;

    template <typename... Arguments>
    void operator()(Arguments... arguments) const {
        static_assert(!(__is_polymorphic(Arguments) || ...), "a parameter of a kernel has virtual functions");
        auto thread = [call = call, arguments...] { call(arguments...); };
        run_threads(configuration, thread);
    }
};

template <typename Call>
LaunchCall<Call> launch_call(Call call, dim3 grid, dim3 block, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr) {
    return {call, {grid, block, shared_bytes, stream, nullptr}};
}

template <typename T>
constexpr bool is_reference = false;
template <typename T>
constexpr bool is_reference<T&> = true;
template <typename T>
constexpr bool is_reference<T&&> = true;
constexpr size_t kParameterBytes = 32764;  // CUDA C++ Programming Guide, "__global__ Function Parameters"

template <typename... Parameters>
Launch<Parameters...> launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr) {
    static_assert(!(is_reference<Parameters> || ...), "a parameter of a kernel is a reference");
    static_assert(!(__is_polymorphic(Parameters) || ...), "a parameter of a kernel has virtual functions");
    static_assert((sizeof(Parameters) + ... + size_t{0}) <= kParameterBytes,
                  "the parameters of a kernel have more than 32764 bytes");
    return {kernel, {grid, block, shared_bytes, stream, reinterpret_cast<const void*>(kernel)}};
}

}  // namespace weft_cpu
