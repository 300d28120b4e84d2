// What the parts of the CPU device share.
#pragma once

// Only the scheduler may assign threadIdx and its like.
#define WEFT_CPU_DEVICE

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>
#include <utility>
#include <vector>

#include "weft_cpu/qualifiers.h"
#include "weft_cpu/vectors.h"
#include "weft_cpu/api.h"
#include "weft_cpu/textures.h"
#include "weft_cpu/launch.h"
#include "weft_cpu/functions.h"

namespace weft_cpu {

struct Piece {
    unsigned char* start;
    size_t bytes;
};

// Exit statuses by which a program ends when the device finds a fault. weft.runs.execute gives each its
// reason.
enum Status {
    kOutOfBounds = 81,
    kMisaligned = 82,
    kDeadlock = 83,
    kCudaError = 84,
    kRace = 85,
    kUnwrittenRead = 86,
    kHostAccess = 87,
    kUndefined = 88,
    kUnsupported = 89,
    kStored = 90  // no fault: an answer to `watch_bytes`
};

// Prints the message and where the running thread is, and ends the program.
[[noreturn]] void stop(Status status, const char* format, ...) __attribute__((format(printf, 2, 3)));

// WEFT_THREAD_ORDER: blocks and threads run from the first to the last ("forward", default), from the last to
// the first ("reverse"), or in orders that are drawn ("random"), always the same ones: for the blocks, for the
// threads of each block, and for those that go on after each wait.
enum class Order { kForward, kReverse, kRandom };
Order order();

// Byte that fresh global and shared memory holds. It differs between the orders, so that a kernel that reads
// unwritten memory gives other results.
unsigned char poison();

// The running kernel's thread, for messages; false outside kernels.
bool running_thread(uint3* thread, uint3* block);

// Whose an allocation is: the device's, a candidate's on the device, which it may have called managed, or the device's
// and the host's (managed).
enum class Owner { kDevice, kCandidate, kCandidateManaged, kBoth };
cudaError_t allocate(void** pointer, size_t bytes, Owner owner);
bool is_owned_by(Owner owner, const void* pointer);

// Opens an allocation of a candidate's that is managed to the host, which touches `address`, until a kernel runs. False
// if it lies in none.
bool open_managed(const void* address);
void close_managed();

// Ends the program if a candidate's host sees more of the device's memory with these bytes than it may.
void count_to_host(size_t bytes);
inline size_t pitch_of(size_t width) { return (width + 511) / 512 * 512; }

// True if all of [pointer, pointer + bytes) is device memory.
bool is_device(const void* pointer, size_t bytes);

// True if the host may not touch `address`: it lies in an allocation of device memory.
bool is_closed(const void* address);

// Device memory is open to kernels, and closed to the host.
void open_allocations();
void close_allocations();

// Said by the driver when no code of a sample runs: then what copies open to the host stays open, since small cases
// would else do little but open and close.
void keep_open(bool keep);

// While a stranger's host code runs, the device's variables are written by the device alone, when its functions are
// called; and where they are. Without pages of their own, that is dynamic shared memory.
void begin_strangers_turn();
void end_strangers_turn();
Piece device_state();

// False if launches, copies within the device and nothing else are left out (WEFT_KERNELS is "off"): what is
// in an output then, no kernel has made.
bool kernels_run();

// The axes of a grid, a bit each, that have one block however many a launch asks for: those that WEFT_ONE_BLOCK
// names, along which the kernel's threads stride.
unsigned int one_block_axes();

// How arithmetic of kernels is rounded where nothing says otherwise: to nearest, unless WEFT_ROUNDING is "up" or "down"
// (weft.runs.mathematics).
int rounding();

// Kernels run in processes of their own, which share device memory with the host and nothing else: what they
// do to the host's memory is lost (WEFT_KERNEL_PROCESS is "on").
bool kernels_run_apart();

// A program in which kernels run apart has two copies of its candidate's variables, the host's and the
// device's, which begin alike. A kernel's process loads the device's, and stores what it made of them.
void keep_variables();
void load_variables();
void store_variables();

// Calls body(context), a kernel's threads, in a process of its own, and ends the program as that process ends if
// it does not end well.
void run_apart(void (*body)(void*), void* context);

// False for what is no stream, or one no more.
bool is_stream(cudaStream_t stream);

// True while work of a stream is done.
bool is_working();

// The work that is done: its stream's number, and its own among all work; and whether other work has ended before it.
struct RunningWork {
    size_t stream;
    unsigned long long number;
};
RunningWork running_work();
bool has_ended_before(size_t stream, unsigned long long number);

// The work of all streams is done; that of the default stream and of those that it waits for; and the end of the
// program if a copy to the host would miss work that nobody has waited for.
void finish_all_work();
void finish_default_stream();
void check_finished_work();

// Where the device's copy of what the host has at `address` is: elsewhere for a candidate's variables.
void* device_address(const void* address);

// Says in words what lies at `address` if it is near an allocation; empty if it is not.
void describe_address(const void* address, char* text, size_t size);

// An instruction, and a call that has led there, if that is known.
struct Instruction {
    const void* at;
    const void* call = nullptr;
};

// An instruction of the program as execute.py reads it, to be looked up in its debug information: " [at +0x11c8 +0x1234]"
// from its first byte, or nothing for what is not the program's.
struct CodePlace {
    char text[64];
};
CodePlace code_place(Instruction instruction);

// What the running thread copies and has not waited for yet, in batches.
struct LateCopy {
    void* to;
    const void* from;
    size_t bytes, zeros, batch;
};
struct LateCopies {
    std::vector<LateCopy> copies{};
    size_t batch = 0;  // that is not closed
};
LateCopies& late_copies();

// Opens more of the running thread's stack to the instruction `code`, which touches `address` there and has this frame.
// False if its stack is not closed there. Ends the program if recursion has taken too much of it.
bool open_stack(void* address, const void* frame, const void* code);

// What cudaDeviceSetLimit has made of cudaLimitStackSize.
size_t stack_limit();

// The arguments of the running kernel, as the host has made them.
Piece launched_arguments();
const void* launched_kernel();

// True if `address` is in the running thread's own memory, or in the arguments of the kernel.
bool is_local(const void* address);

// Ends the program if a byte beside an allocation was changed.
void check_guards();

// Calls `visit(start, bytes)` for every allocation.
void for_each_allocation(void (*visit)(const void* start, size_t bytes));

// The program's thread-local storage: all its `__shared__` variables, and nothing else (see qualifiers.h).
Piece shared_memory();

// True if g++ may have put bytes of its own there, beside arrays of classes, by which it knows whether these are there
// yet: where they are 0, it makes them.
bool shared_guards();

// The program's `__constant__` variables, in whole pages; and writing there, which is allowed to copies alone.
Piece constant_memory();
bool is_constant(const void* address);
void open_constants();
void close_constants();

constexpr size_t kDynamicSharedBytes = 232448;  // of which a launch may ask for `most_dynamic_shared`
size_t most_dynamic_shared(const void* kernel);

// The largest block of a kernel, by its registers.
size_t most_threads(const void* kernel);

// What the device says that it is: in each order of threads another GPU, so that what a program computes does not hang on
// the one that it finds. Small ones, unless WEFT_CARDS is "all"; WEFT_ARCHITECTURE (as 750) gives all one capability.
struct Card {
    const char* name;
    int capability;  // 75 is 7.5
    int multiprocessors;
    int threads, blocks;  // of a multiprocessor
    int shared_bytes;     // of a block that asks for more than 48 KiB
    int cache_bytes;
    size_t bytes;
};
const Card& card();

// How many threads the device runs at once.
unsigned long long most_at_once();

// True if shadow memory watches launches (WEFT_SHADOW_MEMORY is "on").
bool is_watched();

// Of an access in words ("a read") by an instruction: the end of the program if a kernel's argument points there and it is a variable of
// the host, of which `watch_arguments` takes note, and says whether there are any; and if it is memory that no kernel has.
bool watch_arguments();
void check_arguments(const void* address, size_t bytes, const char* access, Instruction instruction);
void check_foreign(const void* address, size_t bytes, const char* access, Instruction instruction);

// What the scheduler tells shadow memory: a launch begins; the block that runs as number `position` begins; a
// thread of it goes on, or pauses; a barrier, or the `lanes` of the warp from thread `first` on, are released;
// the launch has ended. A fault may come of what was read before.
void watch_launch(unsigned long long blocks, size_t dynamic_shared_bytes);
void watch_block(unsigned long long position);
void watch_thread(unsigned int number);
void watch_pause();
unsigned int watch_park();
void watch_grid();
void watch_unpark(unsigned int first_thread);
void watch_barrier();
void watch_warp(unsigned int first, unsigned int lanes);
void watch_fault();
void watch_end();

// The driver asks which instruction of a kernel stores in these bytes last: the place is in the message with which
// `tell_last_store` ends the program, if there is one. What the host's side stores has no place.
void watch_bytes(const void* start, size_t bytes);
void forget_last_store(const void* address, size_t bytes);
void tell_last_store();

}  // namespace weft_cpu
