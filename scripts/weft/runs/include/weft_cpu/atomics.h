// CUDA's atomic functions, for exactly the types that CUDA has (CUDA C++ Programming Guide, "Atomic
// Functions"). All threads run in one operating system thread and switch only at barriers, so plain updates
// are atomic.
#pragma once

namespace weft_cpu {

// Shadow memory hears of the atomic access as a whole, and not of the read and the write that it is here.
template <typename T, typename Update>
[[gnu::noinline, gnu::no_sanitize("thread")]] WEFT_CPU_OPTIMIZED T update(T* address, Update next,
                                                                         bool sets = false,
                                                                         bool in_block = false) {
    touch_atomically(address, sizeof(T), sets, in_block);
    const T old = *address;
    *address = next(old);
    return old;
}

}  // namespace weft_cpu

// One overload, and its `_block` and `_system` forms, which are atomic for less and more threads.
#define WEFT_CPU_ATOMIC(name, type, expression)                                                          \
    inline type name(type* address, type value) {                                                        \
        return weft_cpu::update(address, [=]([[maybe_unused]] type old) -> type { return expression; }); \
    }                                                                                                    \
    inline type name##_block(type* address, type value) {                                                \
        return weft_cpu::update(                                                                         \
            address, [=]([[maybe_unused]] type old) -> type { return expression; }, false, true);        \
    }                                                                                                    \
    inline type name##_system(type* address, type value) { return name(address, value); }

WEFT_CPU_ATOMIC(atomicAdd, int,
                static_cast<int>(static_cast<unsigned int>(old) + static_cast<unsigned int>(value)))
WEFT_CPU_ATOMIC(atomicAdd, unsigned int, old + value)
WEFT_CPU_ATOMIC(atomicAdd, unsigned long long, old + value)
WEFT_CPU_ATOMIC(atomicAdd, float, old + value)
WEFT_CPU_ATOMIC(atomicAdd, double, old + value)
WEFT_CPU_ATOMIC(atomicSub, int,
                static_cast<int>(static_cast<unsigned int>(old) - static_cast<unsigned int>(value)))
WEFT_CPU_ATOMIC(atomicSub, unsigned int, old - value)
WEFT_CPU_ATOMIC(atomicMin, int, value < old ? value : old)
WEFT_CPU_ATOMIC(atomicMin, unsigned int, value < old ? value : old)
WEFT_CPU_ATOMIC(atomicMin, long long, value < old ? value : old)
WEFT_CPU_ATOMIC(atomicMin, unsigned long long, value < old ? value : old)
WEFT_CPU_ATOMIC(atomicMax, int, old < value ? value : old)
WEFT_CPU_ATOMIC(atomicMax, unsigned int, old < value ? value : old)
WEFT_CPU_ATOMIC(atomicMax, long long, old < value ? value : old)
WEFT_CPU_ATOMIC(atomicMax, unsigned long long, old < value ? value : old)
WEFT_CPU_ATOMIC(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
WEFT_CPU_ATOMIC(atomicDec, unsigned int, old == 0u || old > value ? value : old - 1u)
WEFT_CPU_ATOMIC(atomicAnd, int, old& value)
WEFT_CPU_ATOMIC(atomicAnd, unsigned int, old& value)
WEFT_CPU_ATOMIC(atomicAnd, unsigned long long, old& value)
WEFT_CPU_ATOMIC(atomicOr, int, old | value)
WEFT_CPU_ATOMIC(atomicOr, unsigned int, old | value)
WEFT_CPU_ATOMIC(atomicOr, unsigned long long, old | value)
WEFT_CPU_ATOMIC(atomicXor, int, old ^ value)
WEFT_CPU_ATOMIC(atomicXor, unsigned int, old ^ value)
WEFT_CPU_ATOMIC(atomicXor, unsigned long long, old ^ value)

#undef WEFT_CPU_ATOMIC

#define WEFT_CPU_EXCHANGE(type)                                                                   \
    inline type atomicExch(type* address, type value) {                                           \
        return weft_cpu::update(address, [=](type) -> type { return value; }, true);              \
    }                                                                                             \
    inline type atomicExch_block(type* address, type value) {                                     \
        return weft_cpu::update(address, [=](type) -> type { return value; }, true, true);        \
    }                                                                                             \
    inline type atomicExch_system(type* address, type value) { return atomicExch(address, value); }

WEFT_CPU_EXCHANGE(int)
WEFT_CPU_EXCHANGE(unsigned int)
WEFT_CPU_EXCHANGE(unsigned long long)
WEFT_CPU_EXCHANGE(float)

#undef WEFT_CPU_EXCHANGE

#define WEFT_CPU_ATOMIC_CAS(type)                                                                         \
    inline type atomicCAS(type* address, type compare, type value) {                                      \
        weft_cpu::check_guess(address, sizeof(type));                                                     \
        return weft_cpu::update(address, [=](type old) -> type { return old == compare ? value : old; }); \
    }                                                                                                     \
    inline type atomicCAS_block(type* address, type compare, type value) {                                \
        weft_cpu::check_guess(address, sizeof(type));                                                     \
        return weft_cpu::update(                                                                          \
            address, [=](type old) -> type { return old == compare ? value : old; }, false, true);        \
    }                                                                                                     \
    inline type atomicCAS_system(type* address, type compare, type value) {                               \
        return atomicCAS(address, compare, value);                                                        \
    }

WEFT_CPU_ATOMIC_CAS(int)
WEFT_CPU_ATOMIC_CAS(unsigned int)
WEFT_CPU_ATOMIC_CAS(unsigned long long)
WEFT_CPU_ATOMIC_CAS(unsigned short)

#undef WEFT_CPU_ATOMIC_CAS
