// The CPU device's own variables cannot be written while the host code of a stranger's program runs: they lie in pages
// of their own (state.ld), and so does what the device takes from the heap. Each function of the device that host code
// calls is reached through a gate (weft.runs.gates), which opens these pages and closes them behind it.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "device.h"

// Absent where a program is linked without the script.
extern "C" unsigned char weft_state_begin[] __attribute__((weak));
extern "C" unsigned char weft_state_end[] __attribute__((weak));

namespace weft_cpu {
namespace {

constexpr size_t kHeapBytes = size_t{1} << 26;
constexpr int kMostGates = 16;

bool strangers_turn = false;
void* came_from[kMostGates];  // what called through the gates that are passed just now
int passed = 0;
Piece heap;
size_t heap_used = 0;

void set_state(int access) {
    mprotect(weft_state_begin, static_cast<size_t>(weft_state_end - weft_state_begin), access);
    if (heap.start) mprotect(heap.start, heap.bytes, access);
}

// Of the device's heap, which is never given back; null if it is full.
void* take(size_t bytes) {
    if (!heap.start) {
        void* all = mmap(nullptr, kHeapBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) return nullptr;
        heap = {static_cast<unsigned char*>(all), kHeapBytes};
    }
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > heap.bytes - heap_used) return nullptr;
    heap_used += bytes;
    return heap.start + heap_used - bytes;
}

}  // namespace

void begin_strangers_turn() {
    if (!weft_state_begin || !kernels_run_apart()) return;
    strangers_turn = true;
    set_state(PROT_READ);
}

void end_strangers_turn() {
    if (!strangers_turn) return;
    set_state(PROT_READ | PROT_WRITE);
    strangers_turn = false;
    passed = 0;  // a kernel's process does not come back
}

Piece device_state() {
    if (!weft_state_begin) return {dynamic_shared, kDynamicSharedBytes};
    return {weft_state_begin, static_cast<size_t>(weft_state_end - weft_state_begin)};
}

}  // namespace weft_cpu

using namespace weft_cpu;

void* operator new(size_t bytes) {
    void* memory = passed ? take(bytes) : nullptr;
    if (!memory) memory = malloc(bytes ? bytes : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept {
    const auto* p = static_cast<unsigned char*>(memory);
    if (p < heap.start || p >= heap.start + heap.bytes) free(memory);
}

void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

extern "C" {

void weft_gate_enter(void* from) {
    if (strangers_turn) set_state(PROT_READ | PROT_WRITE);
    if (passed == kMostGates) stop(kCudaError, "functions of the device within each other");
    came_from[passed++] = from;
}

void* weft_gate_leave() {
    void* from = came_from[--passed];
    if (strangers_turn && passed == 0) set_state(PROT_READ);
    return from;
}

// A gate has the function in %r11; its arguments are where the caller has put them.
void weft_gate();
}

asm(R"(
.text
.globl weft_gate
.type weft_gate, @function
weft_gate:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %rax
    pushq %r11
    subq $136, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movq 200(%rsp), %rdi
    call weft_gate_enter
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    popq %r11
    popq %rax
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    leaq weft_gate_back(%rip), %r10
    movq %r10, (%rsp)
    jmp *%r11
weft_gate_back:
    pushq %rax
    pushq %rdx
    subq $32, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    call weft_gate_leave
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    addq $32, %rsp
    popq %rdx
    popq %rax
    jmp *%r11
.size weft_gate, .-weft_gate
)");
