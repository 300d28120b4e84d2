// Running a grid: blocks one after the other, and the threads of a block in one operating system thread.
//
// A fiber runs threads of the block one after the other until one of them waits at a barrier or a warp
// function; then another fiber goes on with the next thread. So a kernel that never waits runs in a plain
// loop on one fiber. When no thread can go on, the barriers and warp functions that all their threads have
// reached are released; if there are none, the kernel would hang on a GPU, and the program ends.
//
// The blocks of a cooperative launch take turns at `grid.sync()`: a block whose threads have all come there is put aside,
// with its shared memory, until all blocks have.
//
// In random order, threads that have not started and those that can go on take turns as they are drawn, and
// one warp at a time is released.
#include <fenv.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <vector>

#include "device.h"

// Saves the registers that a call preserves on the stack of the caller, keeps that stack's pointer in *save,
// and goes on with the stack `load` (System V ABI for x86-64).
extern "C" void weft_cpu_switch(void** save, void* load);
asm(R"(
.text
.globl weft_cpu_switch
.type weft_cpu_switch, @function
weft_cpu_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size weft_cpu_switch, .-weft_cpu_switch
)");

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;
extern const int warpSize = 32;

// Defined for programs without the bytes of g++'s own (weft.runs.candidate).
extern "C" unsigned char weft_no_shared_guards __attribute__((weak));

namespace weft_cpu {

alignas(128) unsigned char dynamic_shared[kDynamicSharedBytes];

namespace {

constexpr unsigned int kMaxThreads = 1024;
constexpr size_t kPageBytes = 4096;
constexpr size_t kStackBytes = 557056;  // a GPU's local memory of a thread (512 KiB), and what the device takes
constexpr size_t kCooperativeStackBytes = 65536;  // all threads have one at a time
constexpr size_t kOpenStackBytes = 8192;
// How much more stack a function may take here than on a GPU. Of 14 recursive functions, g++'s frames were 0.7 to 6.7
// times those of ptxas.
constexpr size_t kRecursionRoom = 8;
constexpr unsigned int kMostInCycle = 16;  // functions that call each other
constexpr size_t kArgumentAlignment = 64;
constexpr unsigned long long kMostAtOnce = 24576;  // threads of a cooperative launch

struct Fiber {
    unsigned char* mapping;
    size_t stack_bytes;
    unsigned char* open;  // its stack from here on: a fault below asks what has taken the rest
    void* stack_pointer;
    const void* bottom = nullptr;  // the frame that calls a kernel
    LateCopies late{};             // of its thread
};

enum class State : unsigned char { kNew, kReady, kAtBarrier, kAtGrid, kInWarp, kDone };

struct Thread {
    uint3 index;
    State state;
    bool predicate;
    Together together;
    Site site;  // of its last barrier, if any
    size_t calls;  // that have led there
    unsigned int mask;
    unsigned long long value;
    const Exchange* exchanged;
    Fiber* fiber;
};

// The numbers below `count`, each once, in the order of execution. A random one begins anywhere and takes steps
// of a length that has no divisor in common with `count`.
struct Walk {
    unsigned long long count, next, step;

    unsigned long long take() {
        const unsigned long long number = next;
        next += step;
        if (next >= count) next -= count;
        return number;
    }
};

struct RunningBlock {
    void (*body)(void*);
    void* context;
    unsigned int count;
    unsigned int started;
    unsigned int done;
    unsigned int ready;  // of those that wait, how many may go on
    unsigned int at_barrier;
    unsigned int at_grid;
    unsigned int current;
    Walk walk;
    uint3 next;
    BarrierCount barrier_count;
    bool waited;
};

// A block that waits for all others of its grid.
struct Parked {
    RunningBlock block;
    std::vector<Thread> threads;
    uint3 index;
    std::vector<unsigned char> shared, dynamic;
    unsigned int first_thread;  // as shadow memory numbers them
};

RunningBlock block;
Thread threads[kMaxThreads];
Exchange exchanges[kMaxThreads];
bool running = false, cooperative = false;
Piece kernel_arguments;
const void* kernel_address;
void* scheduler_stack;
std::vector<Fiber*> idle_fibers;
std::vector<Fiber*> all_fibers;

unsigned int draw() {
    static unsigned long long state = 20261121;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned int>(state >> 33);
}

unsigned long long greatest_common_divisor(unsigned long long a, unsigned long long b) {
    while (b) {
        const unsigned long long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

Walk walk(unsigned long long count) {
    switch (order()) {
        case Order::kForward:
            return {count, 0, 1};
        case Order::kReverse:
            return {count, count - 1, count - 1};
        case Order::kRandom:
            break;
    }
    const unsigned long long start = draw() % count;
    unsigned long long step = 1 + draw() % count;
    while (greatest_common_divisor(step, count) != 1) step = 1 + draw() % count;
    return {count, start, step};
}

void go_to(unsigned int number) {
    block.current = number;
    threadIdx = threads[number].index;
    watch_thread(number);
}

// The index of the thread that starts next, which has this number. In forward and reverse order it follows
// from the one before (divisions would cost more than many a thread does).
uint3 start_index(unsigned int number) {
    if (order() == Order::kRandom)
        return {number % blockDim.x, number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y};
    const uint3 index = block.next;
    uint3& next = block.next;
    if (order() == Order::kReverse) {
        if (next.x-- != 0) return index;
        next.x = blockDim.x - 1;
        if (next.y-- != 0) return index;
        next.y = blockDim.y - 1;
        --next.z;
    } else {
        if (++next.x != blockDim.x) return index;
        next.x = 0;
        if (++next.y != blockDim.y) return index;
        next.y = 0;
        ++next.z;
    }
    return index;
}

// Takes threads that have not started, in order, and runs them.
void run_threads(Fiber* self) {
    while (block.started < block.count) {
        ++block.started;
        const auto number = static_cast<unsigned int>(block.walk.take());
        Thread& thread = threads[number];
        thread.index = start_index(number);
        thread.state = State::kReady;
        thread.site = nullptr;
        thread.fiber = self;
        self->bottom = __builtin_frame_address(0);
        if (self->late.batch || !self->late.copies.empty()) self->late = {};
        go_to(number);
        block.body(block.context);
        // This fiber may have waited: the block's other fields have moved on, and so has `current`.
        watch_pause();
        threads[number].state = State::kDone;
        ++block.done;
    }
}

void fiber_main() {
    for (;;) {
        Fiber* self = idle_fibers.back();
        idle_fibers.pop_back();
        run_threads(self);
        idle_fibers.push_back(self);
        weft_cpu_switch(&self->stack_pointer, scheduler_stack);
    }
}

// A fresh fiber that will start at fiber_main, whose stack ends in a page without access.
Fiber* make_fiber() {
    const size_t stack_bytes = cooperative ? kCooperativeStackBytes : kStackBytes;
    void* mapping = mmap(nullptr, stack_bytes + kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) stop(kCudaError, "no memory for the stack of one more thread");
    auto* end = static_cast<unsigned char*>(mapping) + kPageBytes + stack_bytes;
    mprotect(end - kOpenStackBytes, kOpenStackBytes, PROT_READ | PROT_WRITE);
    auto* fiber = new Fiber{static_cast<unsigned char*>(mapping), stack_bytes, end - kOpenStackBytes, nullptr, nullptr, {}};
    auto** top = reinterpret_cast<void**>(end);
    // From the top: a return address that is never used, fiber_main, and six registers for weft_cpu_switch.
    top[-1] = nullptr;
    top[-2] = reinterpret_cast<void*>(&fiber_main);
    for (int i = 3; i <= 8; ++i) top[-i] = nullptr;
    fiber->stack_pointer = top - 8;
    all_fibers.push_back(fiber);
    return fiber;
}

void resume(Fiber* fiber) { weft_cpu_switch(&scheduler_stack, fiber->stack_pointer); }

// The running thread waits until the scheduler makes it ready again.
void wait(State state) {
    watch_pause();
    const unsigned int number = block.current;
    threads[number].state = state;
    block.at_barrier += state == State::kAtBarrier;
    block.at_grid += state == State::kAtGrid;
    block.waited = true;
    weft_cpu_switch(&threads[number].fiber->stack_pointer, scheduler_stack);
    go_to(number);
}

// The calls that have led from the kernel here, as a number: a barrier in a function is another one for each place that
// calls it. All functions of a program have frames (weft.runs.build).
size_t calls_from(const void* bottom, void* const* frame) {
    size_t calls = 0;
    while (frame < bottom) {
        calls = calls * 0x9E3779B97F4A7C15u + reinterpret_cast<size_t>(frame[1]);
        void* const* caller = static_cast<void* const*>(frame[0]);
        if (caller <= frame) break;
        frame = caller;
    }
    return calls;
}

// How far the outermost frame of a function that has called itself is from the innermost: what a GPU cannot know before.
size_t recursion_bytes(const Fiber& fiber, void* const* frame) {
    const auto is_frame = [&](void* const* one) {
        return one >= static_cast<void*>(fiber.open) && one < fiber.bottom;
    };
    size_t most = 0;
    for (unsigned int i = 0; i < kMostInCycle && is_frame(frame); ++i) {
        for (void* const* outer = frame; is_frame(outer); ) {
            if (outer[1] == frame[1]) most = std::max(most, static_cast<size_t>(outer - frame) * sizeof(void*));
            void* const* caller = static_cast<void* const*>(outer[0]);
            if (caller <= outer) break;
            outer = caller;
        }
        frame = static_cast<void* const*>(frame[0]);
    }
    return most;
}

bool is_same_barrier(const Thread& one, const Thread& other) { return one.site == other.site && one.calls == other.calls; }

unsigned int line_of(Site site) { return static_cast<const std::source_location::__impl*>(site)->_M_line; }

bool release_barrier() {
    if (block.at_barrier == 0 || block.at_barrier != block.count - block.done) return false;
    int truths = 0;
    const Thread *first = nullptr, *other = nullptr;
    unsigned int waiting = 0;
    for (unsigned int i = 0; i < block.count; ++i) {
        if (threads[i].state != State::kAtBarrier) continue;
        if (waiting++ == 0) first = &threads[i];
        if (!is_same_barrier(threads[i], *first)) other = &threads[i];
        truths += threads[i].predicate;
    }
    if (other && other->site == first->site) {
        stop(kDeadlock, "threads of a block wait at the barrier in line %u, but different calls have led there", line_of(first->site));
    }
    if (other) {
        stop(kDeadlock, "threads of a block wait at different barriers, in lines %u and %u", line_of(first->site),
             line_of(other->site));
    }
    // Threads that have exited count no more, but those that were at this barrier have left a loop that others go on with.
    for (unsigned int i = 0; i < block.count; ++i) {
        if (threads[i].state == State::kDone && threads[i].site && is_same_barrier(threads[i], *first)) {
            stop(kDeadlock, "threads of a block wait at the barrier in line %u, which others have left for good",
                 line_of(first->site));
        }
    }
    block.barrier_count = {truths, static_cast<int>(waiting)};
    block.ready += waiting;
    block.at_barrier = 0;
    watch_barrier();
    for (unsigned int i = 0; i < block.count; ++i) {
        if (threads[i].state == State::kAtBarrier) threads[i].state = State::kReady;
    }
    return true;
}

unsigned int live_lanes(unsigned int warp) {
    unsigned int lanes = 0;
    for (unsigned int i = 0; i < 32 && warp + i < block.count; ++i) {
        if (threads[warp + i].state != State::kDone) lanes |= 1u << i;
    }
    return lanes;
}

// Releases the lanes of one warp that wait with the same mask, where all of them that live have arrived.
bool release_warp(unsigned int warp) {
    const unsigned int live = live_lanes(warp);
    bool released = false;
    for (unsigned int i = 0; i < 32 && warp + i < block.count; ++i) {
        if (threads[warp + i].state != State::kInWarp) continue;
        const unsigned int mask = threads[warp + i].mask;
        const Together together = threads[warp + i].together;
        unsigned int arrived = 0;
        for (unsigned int j = 0; j < 32 && warp + j < block.count; ++j) {
            const Thread& other = threads[warp + j];
            if (other.state == State::kInWarp && other.mask == mask && other.together == together) arrived |= 1u << j;
        }
        // Who asks which lanes are here (__activemask) waits for none in particular.
        if (together != Together::kAsk && arrived != (mask & live)) continue;
        if (together == Together::kSynchronise) watch_warp(warp, arrived);
        // All of them have read it before any lane of the block is released again.
        Exchange& all = exchanges[warp + i];
        all.lanes = arrived;
        memset(all.value, poison(), sizeof(all.value));
        for (unsigned int j = 0; j < 32; ++j) {
            if (!(arrived >> j & 1)) continue;
            Thread& thread = threads[warp + j];
            all.value[j] = thread.value;
            thread.exchanged = &all;
            thread.state = State::kReady;
            ++block.ready;
        }
        released = true;
    }
    return released;
}

bool release() {
    bool released = release_barrier();
    Walk warps = walk((block.count + 31) / 32);
    for (unsigned int i = 0; i < warps.count; ++i) {
        released |= release_warp(static_cast<unsigned int>(warps.take()) * 32);
        if (released && order() == Order::kRandom) break;
    }
    return released;
}

int find_shared(dl_phdr_info* program, size_t, void* result) {
    for (int i = 0; i < program->dlpi_phnum; ++i) {
        const auto& segment = program->dlpi_phdr[i];
        if (segment.p_type != PT_TLS) continue;
        // It ends at the thread pointer (ELF Handling for Thread-Local Storage, variant II).
        auto* end = static_cast<unsigned char*>(__builtin_thread_pointer());
        const size_t align = segment.p_align ? segment.p_align : 1;
        const size_t room = (segment.p_memsz + align - 1) / align * align;
        *static_cast<Piece*>(result) = {end - room, segment.p_memsz};
    }
    return 1;  // the first object is the program itself
}

void poison_shared(size_t dynamic_bytes) {
    const Piece shared = shared_memory();
    const unsigned char byte = poison() || !shared_guards() ? poison() : 0x93;
    memset(shared.start, byte, shared.bytes);
    memset(dynamic_shared, byte, dynamic_bytes);
}

void begin_block() {
    block.started = block.done = block.ready = block.at_barrier = block.at_grid = 0;
    block.walk = walk(block.count);
    block.next = order() == Order::kReverse ? uint3{blockDim.x - 1, blockDim.y - 1, blockDim.z - 1} : uint3{};
    for (unsigned int i = 0; i < block.count; ++i) threads[i].state = State::kNew;
}

// False if the block waits for all others of the grid.
bool run_block() {
    const bool random = order() == Order::kRandom;
    while (block.done < block.count) {
        if (block.started < block.count && !(random && draw() % 4 == 0)) {
            if (idle_fibers.empty()) idle_fibers.push_back(make_fiber());
            resume(idle_fibers.back());
            continue;
        }
        const bool progress = block.ready > 0;
        Walk waiting = walk(block.count);
        while (block.ready > 0) {
            const auto number = static_cast<unsigned int>(waiting.take());
            if (threads[number].state != State::kReady) continue;
            --block.ready;
            go_to(number);
            resume(threads[number].fiber);
        }
        if (!progress && !release() && block.started == block.count) {
            if (block.at_grid == block.count - block.done) return false;
            stop(kDeadlock,
                 "threads wait for each other: not all that a barrier or a warp function names reach it");
        }
    }
    return true;
}

Parked park(size_t dynamic_bytes) {
    const Piece shared = shared_memory();
    return {block, {threads, threads + block.count}, blockIdx, {shared.start, shared.start + shared.bytes},
            {dynamic_shared, dynamic_shared + dynamic_bytes}, watch_park()};
}

void unpark(const Parked& parked) {
    block = parked.block;
    blockIdx = parked.index;
    memcpy(threads, parked.threads.data(), parked.threads.size() * sizeof(Thread));
    memcpy(shared_memory().start, parked.shared.data(), parked.shared.size());
    memcpy(dynamic_shared, parked.dynamic.data(), parked.dynamic.size());
    watch_unpark(parked.first_thread);
    for (unsigned int i = 0; i < block.count; ++i) {
        if (threads[i].state == State::kAtGrid) threads[i].state = State::kReady;
    }
    block.ready = block.at_grid;
    block.at_grid = 0;
}

// Runs on those that wait for the grid, until no block does. All blocks have to be there.
void run_parked(std::vector<Parked> waiting, unsigned long long blocks, size_t shared_bytes) {
    while (!waiting.empty()) {
        if (waiting.size() != blocks) stop(kDeadlock, "blocks wait at grid.sync() for others that have ended");
        watch_grid();
        std::vector<Parked> next;
        Walk numbers = walk(blocks);
        for (unsigned long long position = 0; position < blocks; ++position) {
            unpark(waiting[numbers.take()]);
            if (!run_block()) next.push_back(park(shared_bytes));
        }
        waiting = std::move(next);
    }
}

bool is_valid(dim3 grid, dim3 size) {
    const unsigned long long count = 1ull * size.x * size.y * size.z;
    return grid.x && grid.y && grid.z && grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535 &&  //
           count && size.x <= 1024 && size.y <= 1024 && size.z <= 64 && count <= kMaxThreads;
}

// Runs the grid of gridDim blocks of what `block` says.
void run_blocks(size_t shared_bytes) {
    running = true;
    // A GPU takes no notice of how the host rounds.
    fenv_t of_host;
    fegetenv(&of_host);
    fesetenv(FE_DFL_ENV);
    fesetround(rounding());
    const unsigned long long blocks = 1ull * gridDim.x * gridDim.y * gridDim.z;
    watch_launch(blocks, shared_bytes);
    Walk numbers = walk(blocks);
    std::vector<Parked> parked;
    for (unsigned long long position = 0; position < blocks; ++position) {
        const unsigned long long number = numbers.take();
        blockIdx = {static_cast<unsigned int>(number % gridDim.x),
                    static_cast<unsigned int>(number / gridDim.x % gridDim.y),
                    static_cast<unsigned int>(number / gridDim.x / gridDim.y)};
        // What a block leaves in shared memory is seen only by kernels whose threads wait for each other.
        if (block.waited) poison_shared(shared_bytes);
        block.waited = false;
        watch_block(position);
        begin_block();
        if (!run_block()) parked.push_back(park(shared_bytes));
    }
    run_parked(std::move(parked), blocks, shared_bytes);
    watch_end();
    fesetenv(&of_host);
    running = false;
}

dim3 shortened(dim3 grid) {
    const unsigned int axes = one_block_axes();
    return dim3(axes & 1 ? 1 : grid.x, axes & 2 ? 1 : grid.y, axes & 4 ? 1 : grid.z);
}

void run_now(const Configuration& configuration, void (*body)(void*), Piece context) {
    const dim3 size = configuration.block;
    size_t shared_bytes = configuration.shared_bytes;
    gridDim = shortened(configuration.grid);
    blockDim = size;
    block = {body, context.start, size.x * size.y * size.z, 0, 0, 0, 0, 0, 0, {}, {}, {0, 0}, true};
    cooperative = configuration.cooperative;
    kernel_arguments = context;
    kernel_address = configuration.kernel;
    if (kernels_run_apart()) {
        draw();  // so that the orders of one launch are not those of the next
        run_apart([](void* bytes) { run_blocks(*static_cast<size_t*>(bytes)); }, &shared_bytes);
    } else {
        open_allocations();
        run_blocks(shared_bytes);
        close_allocations();
    }
}

// The arguments of a launch, as long as it may come again.
class Arguments {
public:
    Arguments(const void* bytes, size_t count)
        : piece_{static_cast<unsigned char*>(operator new(count, std::align_val_t{kArgumentAlignment})), count} {
        memcpy(piece_.start, bytes, count);
    }
    Arguments(Arguments&& other) : piece_(std::exchange(other.piece_, Piece{nullptr, 0})) {}
    ~Arguments() { operator delete(piece_.start, std::align_val_t{kArgumentAlignment}); }
    Piece piece() const { return piece_; }

private:
    Piece piece_;
};

}  // namespace

void run(const Configuration& configuration, void (*body)(void*), void* context, size_t context_bytes) {
    if (running) stop(kCudaError, "a kernel launches a kernel");
    if (!is_valid(configuration.grid, configuration.block)) {
        fail(cudaErrorInvalidConfiguration);
        return;
    }
    if (!is_stream(configuration.stream)) {
        fail(cudaErrorInvalidResourceHandle);
        return;
    }
    if (configuration.shared_bytes > most_dynamic_shared(configuration.kernel)) {
        fail(cudaErrorInvalidValue);
        return;
    }
    const dim3 of_block = configuration.block;
    if (1ull * of_block.x * of_block.y * of_block.z > most_threads(configuration.kernel)) {
        fail(cudaErrorLaunchOutOfResources);
        return;
    }
    if (configuration.cooperative) {
        const dim3 size = configuration.block, grid = configuration.grid;
        const unsigned long long count = 1ull * size.x * size.y * size.z * grid.x * grid.y * grid.z;
        if (count > kMostAtOnce) stop(kUnsupported, "a cooperative launch of more than %llu threads", kMostAtOnce);
        if (count > most_at_once()) {
            fail(cudaErrorCooperativeLaunchTooLarge);
            return;
        }
    }
    if (!kernels_run()) return;
    defer(configuration.stream, [=, arguments = Arguments(context, context_bytes)] {
        run_now(configuration, body, arguments.piece());
    });
}

// As a float or an integer, it is below zero, zero, and, in random order, above zero in half of the threads, and in the
// others a NaN (below zero).
unsigned char unset_byte() {
    switch (order()) {
        case Order::kForward:
            return 0xFE;
        case Order::kReverse:
            return 0;
        case Order::kRandom:
            return running && (block.current + blockIdx.x) * 0x9E3779B1u >> 31 ? 0x7E : 0xFF;
    }
    return 0;
}

void check_launch_bounds(unsigned int most) {
    if (block.count <= most) return;
    stop(kCudaError, "too many resources requested for launch: a block of %u threads, launch bounds of %u",
         block.count, most);
}

bool shared_guards() { return &weft_no_shared_guards == nullptr; }

Piece shared_memory() {
    static const Piece shared = [] {
        Piece found{nullptr, 0};
        dl_iterate_phdr(find_shared, &found);
        return found;
    }();
    return shared;
}

BarrierCount barrier(bool predicate, Site site) {
    Thread& thread = threads[block.current];
    thread.predicate = predicate;
    thread.site = site;
    thread.calls = calls_from(thread.fiber->bottom, static_cast<void* const*>(__builtin_frame_address(0)));
    wait(State::kAtBarrier);
    return block.barrier_count;
}

LateCopies& late_copies() { return threads[block.current].fiber->late; }

void grid_barrier() {
    if (!cooperative) stop(kCudaError, "grid.sync() in a launch that is not cooperative (cudaLaunchCooperativeKernel)");
    wait(State::kAtGrid);
}

const Exchange& exchange(Together together, unsigned int mask, unsigned long long value) {
    Thread& thread = threads[block.current];
    if (together != Together::kAsk && !(mask >> block.current % 32 & 1))
        stop(kDeadlock, "a warp function whose mask %08x does not name lane %u, which calls it", mask, block.current % 32);
    thread.together = together;
    thread.mask = mask;
    thread.value = value;
    wait(State::kInWarp);
    return *threads[block.current].exchanged;
}

void sync_warp(unsigned int mask) { exchange(Together::kSynchronise, mask, 0); }

void undefined_width(int width) {
    stop(kUndefined, "a shuffle of width %d, which is none of 1, 2, 4, 8, 16 and 32", width);
}

unsigned int lane() { return block.current % 32; }

unsigned int active_lanes() { return exchange(Together::kAsk, 0, 0).lanes; }

bool running_thread(uint3* thread, uint3* where) {
    *thread = threadIdx;
    *where = blockIdx;
    return running;
}

Piece launched_arguments() { return kernel_arguments; }
const void* launched_kernel() { return kernel_address; }

bool is_local(const void* address) {
    const auto* p = static_cast<const unsigned char*>(address);
    if (p >= kernel_arguments.start && p < kernel_arguments.start + kernel_arguments.bytes) return true;
    // On a GPU each thread has its local memory at the same addresses: a pointer into another's leads astray.
    const Fiber* own = threads[block.current].fiber;
    return p >= own->mapping && p < own->mapping + kPageBytes + own->stack_bytes;
}

bool open_stack(void* address, const void* frame, const void* code) {
    if (!running) return false;
    Fiber& fiber = *threads[block.current].fiber;
    auto* page = reinterpret_cast<unsigned char*>(reinterpret_cast<size_t>(address) / kPageBytes * kPageBytes);
    if (page < fiber.mapping || page >= fiber.open) return false;
    const size_t bytes = recursion_bytes(fiber, static_cast<void* const*>(frame)), given = stack_limit();
    if (bytes > kRecursionRoom * given) {
        stop(kOutOfBounds, "recursion takes %zu bytes of stack, too deep for a GPU, which gives a thread %zu (cudaLimitStackSize)%s",
             bytes, given, code_place({code}).text);
    }
    if (page == fiber.mapping) stop(kOutOfBounds, "stack overflow%s", code_place({code}).text);
    mprotect(page, static_cast<size_t>(fiber.open - page), PROT_READ | PROT_WRITE);
    fiber.open = page;
    return true;
}

}  // namespace weft_cpu
