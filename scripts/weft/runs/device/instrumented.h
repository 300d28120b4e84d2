// The functions that code compiled with `-fsanitize=thread` calls (GCC's ABI, sanitizer.def), for shadow.cpp.
// Host code is compiled so too: its atomics are plain here, because there is one operating system thread.
#pragma once

using namespace weft_cpu;

#define WEFT_CPU_ACCESS(name, bytes, kind)                           \
    void name(void* address) {                           \
        if (!watching) return;                           \
        accessed_from = __builtin_return_address(0);     \
        touch_plainly(address, bytes, Kind::kind);       \
    }
#define WEFT_CPU_VOLATILE_ACCESS(name, bytes, kind)                                             \
    void name(void* address) {                                                   \
        if (!watching) return;                                                   \
        accessed_from = __builtin_return_address(0);                             \
        touch(address, bytes, Kind::kind, Kind::kind == Kind::kVolatileWrite);   \
    }
#define WEFT_CPU_ACCESSES(bytes)                                        \
    WEFT_CPU_ACCESS(__tsan_read##bytes, bytes, kRead)                   \
    WEFT_CPU_ACCESS(__tsan_write##bytes, bytes, kWrite)                 \
    WEFT_CPU_ACCESS(__tsan_unaligned_read##bytes, bytes, kRead)         \
    WEFT_CPU_ACCESS(__tsan_unaligned_write##bytes, bytes, kWrite)       \
    WEFT_CPU_VOLATILE_ACCESS(__tsan_volatile_read##bytes, bytes, kVolatileRead)   \
    WEFT_CPU_VOLATILE_ACCESS(__tsan_volatile_write##bytes, bytes, kVolatileWrite) \
    WEFT_CPU_ACCESS(__tsan_unaligned_volatile_read##bytes, bytes, kRead) \
    WEFT_CPU_ACCESS(__tsan_unaligned_volatile_write##bytes, bytes, kWrite)

#define WEFT_CPU_HOST_ATOMICS(bits, type)                                                                  \
    type __tsan_atomic##bits##_load(const volatile type* address, int) { return *address; }                \
    void __tsan_atomic##bits##_store(volatile type* address, type value, int) { *address = value; }        \
    WEFT_CPU_HOST_UPDATE(exchange, bits, type, value)                                                      \
    WEFT_CPU_HOST_UPDATE(fetch_add, bits, type, old + value)                                               \
    WEFT_CPU_HOST_UPDATE(fetch_sub, bits, type, old - value)                                               \
    WEFT_CPU_HOST_UPDATE(fetch_and, bits, type, old & value)                                               \
    WEFT_CPU_HOST_UPDATE(fetch_or, bits, type, old | value)                                                \
    WEFT_CPU_HOST_UPDATE(fetch_xor, bits, type, old ^ value)                                               \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* address, type* expected, type value,  \
                                                      int, int) {                                          \
        const type old = *address;                                                                         \
        if (old == *expected) *address = value;                                                            \
        const bool same = old == *expected;                                                                \
        *expected = old;                                                                                   \
        return same;                                                                                       \
    }                                                                                                      \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* address, type* expected, type value,    \
                                                    int success, int failure) {                            \
        return __tsan_atomic##bits##_compare_exchange_strong(address, expected, value, success, failure);  \
    }
#define WEFT_CPU_HOST_UPDATE(name, bits, type, next)                                     \
    type __tsan_atomic##bits##_##name(volatile type* address, type value, int) {         \
        [[maybe_unused]] const type old = *address;                                      \
        *address = static_cast<type>(next);                                              \
        return old;                                                                      \
    }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

void __tsan_read_range(void* address, size_t bytes) {
    if (!watching) return;
    accessed_from = __builtin_return_address(0);
    touch(address, bytes, Kind::kRead, false);
}
void __tsan_write_range(void* address, size_t bytes) {
    if (!watching) return;
    accessed_from = __builtin_return_address(0);
    touch(address, bytes, Kind::kWrite, true);
}

// What memcpy and its like are in a program (include/weft_cpu/memory.h).
void* weft_cpu_memcpy(void* to, const void* from, size_t bytes) {
    if (watching && bytes) {
        accessed_from = __builtin_return_address(0);
        touch_plainly(from, bytes, Kind::kRead);
        touch_plainly(to, bytes, Kind::kWrite);
    }
    return memcpy(to, from, bytes);
}
void* weft_cpu_memmove(void* to, const void* from, size_t bytes) {
    if (watching && bytes) {
        accessed_from = __builtin_return_address(0);
        touch_plainly(from, bytes, Kind::kRead);
        touch_plainly(to, bytes, Kind::kWrite);
    }
    return memmove(to, from, bytes);
}
void* weft_cpu_memset(void* to, int value, size_t bytes) {
    if (watching && bytes) {
        accessed_from = __builtin_return_address(0);
        touch_plainly(to, bytes, Kind::kWrite);
    }
    return memset(to, value, bytes);
}

WEFT_CPU_ACCESSES(1)
WEFT_CPU_ACCESSES(2)
WEFT_CPU_ACCESSES(4)
WEFT_CPU_ACCESSES(8)
WEFT_CPU_ACCESSES(16)
WEFT_CPU_HOST_ATOMICS(8, unsigned char)
WEFT_CPU_HOST_ATOMICS(16, unsigned short)
WEFT_CPU_HOST_ATOMICS(32, unsigned int)
WEFT_CPU_HOST_ATOMICS(64, unsigned long long)
}

#undef WEFT_CPU_HOST_UPDATE
#undef WEFT_CPU_HOST_ATOMICS
#undef WEFT_CPU_ACCESSES
#undef WEFT_CPU_VOLATILE_ACCESS
#undef WEFT_CPU_ACCESS
