// CUDA's atomic functions, for exactly the types that CUDA has (CUDA C++ Programming Guide, "Atomic
// Functions"). All threads run in one operating system thread and switch only at barriers, so plain updates
// are atomic.
#pragma once

namespace weft_cpu {

// These return `auto`, as other templates that inline functions call: g++ instantiates them where it reads the
// call, once for the precompiled header, and not at the end of each program.
//
// Shadow memory hears of the atomic access as a whole, and not of the read and the write that it is here.
template <typename T, typename Update>
[[gnu::noinline, gnu::no_sanitize("thread")]] WEFT_CPU_OPTIMIZED auto update(T* address, Update next,
                                                                            Atomic what = Atomic::kCounts,
                                                                            bool in_block = false) {
    settle_reads();
    const T seen = *address, left = next(seen);
    const bool changes = memcmp(&seen, &left, sizeof(T)) != 0;
    if (touch_atomically(address, sizeof(T), changes ? what : Atomic::kLooks, in_block)) return *address;
    const T old = *address;
    *address = next(old);
    return old;
}

template <typename T>
[[gnu::noinline, gnu::no_sanitize("thread")]] WEFT_CPU_OPTIMIZED auto replace(T* address, T value, bool in_block = false) {
    if (touch_atomically(address, sizeof(T), Atomic::kSets, in_block)) return value;
    const T old = *address;
    *address = value;
    return old;
}

template <typename T>
[[gnu::noinline, gnu::no_sanitize("thread")]] WEFT_CPU_OPTIMIZED auto compare_and_swap(T* address, T compare, T value,
                                                                                      bool in_block = false) {
    check_guess(address, sizeof(T));
    const bool swaps = *address == compare && compare != value;
    const Atomic what = swaps ? Atomic::kSwaps : compare == value ? Atomic::kLooks : Atomic::kCompares;
    unsigned long long left = 0;
    memcpy(&left, &value, sizeof(T));
    if (touch_atomically(address, sizeof(T), what, in_block, left) && swaps) return *address;
    const T old = *address;
    if (swaps) *address = value;
    return old;
}

}  // namespace weft_cpu

// One overload, and its `_block` and `_system` forms, which are atomic for less and more threads.
#define WEFT_CPU_UPDATE(name, type, expression, what)                                                    \
    inline type name(type* address, type value) {                                                        \
        return weft_cpu::update(                                                                         \
            address, [=]([[maybe_unused]] type old) -> type { return expression; }, what);               \
    }                                                                                                    \
    inline type name##_block(type* address, type value) {                                                \
        return weft_cpu::update(                                                                         \
            address, [=]([[maybe_unused]] type old) -> type { return expression; }, what, true);         \
    }                                                                                                    \
    inline type name##_system(type* address, type value) { return name(address, value); }
#define WEFT_CPU_ATOMIC(name, type, expression) WEFT_CPU_UPDATE(name, type, expression, weft_cpu::Atomic::kCounts)
#define WEFT_CPU_NARROW(name, type, expression) WEFT_CPU_UPDATE(name, type, expression, weft_cpu::Atomic::kNarrows)

WEFT_CPU_ATOMIC(atomicAdd, int,
                static_cast<int>(static_cast<unsigned int>(old) + static_cast<unsigned int>(value)))
WEFT_CPU_ATOMIC(atomicAdd, unsigned int, old + value)
WEFT_CPU_ATOMIC(atomicAdd, unsigned long long, old + value)
WEFT_CPU_ATOMIC(atomicAdd, float, old + value)
WEFT_CPU_ATOMIC(atomicAdd, double, old + value)
WEFT_CPU_ATOMIC(atomicSub, int,
                static_cast<int>(static_cast<unsigned int>(old) - static_cast<unsigned int>(value)))
WEFT_CPU_ATOMIC(atomicSub, unsigned int, old - value)
WEFT_CPU_NARROW(atomicMin, int, value < old ? value : old)
WEFT_CPU_NARROW(atomicMin, unsigned int, value < old ? value : old)
WEFT_CPU_NARROW(atomicMin, long long, value < old ? value : old)
WEFT_CPU_NARROW(atomicMin, unsigned long long, value < old ? value : old)
WEFT_CPU_NARROW(atomicMax, int, old < value ? value : old)
WEFT_CPU_NARROW(atomicMax, unsigned int, old < value ? value : old)
WEFT_CPU_NARROW(atomicMax, long long, old < value ? value : old)
WEFT_CPU_NARROW(atomicMax, unsigned long long, old < value ? value : old)
WEFT_CPU_ATOMIC(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
WEFT_CPU_ATOMIC(atomicDec, unsigned int, old == 0u || old > value ? value : old - 1u)
WEFT_CPU_NARROW(atomicAnd, int, old& value)
WEFT_CPU_NARROW(atomicAnd, unsigned int, old& value)
WEFT_CPU_NARROW(atomicAnd, unsigned long long, old& value)
WEFT_CPU_NARROW(atomicOr, int, old | value)
WEFT_CPU_NARROW(atomicOr, unsigned int, old | value)
WEFT_CPU_NARROW(atomicOr, unsigned long long, old | value)
WEFT_CPU_ATOMIC(atomicXor, int, old ^ value)
WEFT_CPU_ATOMIC(atomicXor, unsigned int, old ^ value)
WEFT_CPU_ATOMIC(atomicXor, unsigned long long, old ^ value)

#undef WEFT_CPU_NARROW
#undef WEFT_CPU_ATOMIC
#undef WEFT_CPU_UPDATE

#define WEFT_CPU_EXCHANGE(type)                                                                                     \
    inline type atomicExch(type* address, type value) { return weft_cpu::replace(address, value); }               \
    inline type atomicExch_block(type* address, type value) { return weft_cpu::replace(address, value, true); }   \
    inline type atomicExch_system(type* address, type value) { return atomicExch(address, value); }

WEFT_CPU_EXCHANGE(int)
WEFT_CPU_EXCHANGE(unsigned int)
WEFT_CPU_EXCHANGE(unsigned long long)
WEFT_CPU_EXCHANGE(float)

#undef WEFT_CPU_EXCHANGE

#define WEFT_CPU_ATOMIC_CAS(type)                                            \
    inline type atomicCAS(type* address, type compare, type value) {         \
        return weft_cpu::compare_and_swap(address, compare, value);          \
    }                                                                        \
    inline type atomicCAS_block(type* address, type compare, type value) {   \
        return weft_cpu::compare_and_swap(address, compare, value, true);    \
    }                                                                        \
    inline type atomicCAS_system(type* address, type compare, type value) {  \
        return atomicCAS(address, compare, value);                           \
    }

WEFT_CPU_ATOMIC_CAS(int)
WEFT_CPU_ATOMIC_CAS(unsigned int)
WEFT_CPU_ATOMIC_CAS(unsigned long long)
WEFT_CPU_ATOMIC_CAS(unsigned short)

#undef WEFT_CPU_ATOMIC_CAS
