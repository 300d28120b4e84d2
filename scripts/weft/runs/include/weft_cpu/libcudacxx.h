// Of libcu++ what kernels use: atomics with scopes (`cuda::atomic_ref`, `cuda::atomic`), and under `cuda::std` the host's
// C++ library, of which device code may call what is constexpr (weft.runs.device_calls).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../cuda_runtime.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace cuda {
inline namespace weft_cpu {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst,
};

namespace orders {

inline void before(memory_order order, bool in_block) {
    if (order >= memory_order_release) ::weft_cpu::fence(!in_block);
}
inline void after(memory_order order, bool in_block) {
    if (order != memory_order_relaxed && order != memory_order_release) ::weft_cpu::fence(!in_block);
}

}  // namespace orders

inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order != memory_order_relaxed) ::weft_cpu::fence(scope < thread_scope_block);
}

template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref {
    static_assert(sizeof(T) <= 8, "an atomic has up to 8 bytes");
    static constexpr bool kInBlock = Scope >= thread_scope_block;

    template <typename Next>
    T update(memory_order order, Next next, ::weft_cpu::Atomic what) const {
        orders::before(order, kInBlock);
        const T old = ::weft_cpu::update(address_, next, what, kInBlock);
        orders::after(order, kInBlock);
        return old;
    }

public:
    explicit atomic_ref(T& value) : address_(&value) {}

    T load(memory_order order = memory_order_seq_cst) const {
        return update(order, [](T old) { return old; }, ::weft_cpu::Atomic::kLooks);
    }
    void store(T value, memory_order order = memory_order_seq_cst) const { exchange(value, order); }
    T exchange(T value, memory_order order = memory_order_seq_cst) const {
        orders::before(order, kInBlock);
        const T old = ::weft_cpu::replace(address_, value, kInBlock);
        orders::after(order, kInBlock);
        return old;
    }
    bool compare_exchange_strong(T& expected, T value, memory_order order = memory_order_seq_cst) const {
        orders::before(order, kInBlock);
        const T old = ::weft_cpu::compare_and_swap(address_, expected, value, kInBlock);
        orders::after(order, kInBlock);
        const bool same = old == expected;
        expected = old;
        return same;
    }
    bool compare_exchange_strong(T& expected, T value, memory_order order, memory_order) const {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_weak(T& expected, T value, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_weak(T& expected, T value, memory_order order, memory_order) const {
        return compare_exchange_strong(expected, value, order);
    }

#define WEFT_CPU_FETCH(name, expression, what)                                                \
    T name(T value, memory_order order = memory_order_seq_cst) const {                        \
        return update(order, [=](T old) -> T { return expression; }, ::weft_cpu::Atomic::what); \
    }
    WEFT_CPU_FETCH(fetch_add, static_cast<T>(old + value), kCounts)
    WEFT_CPU_FETCH(fetch_sub, static_cast<T>(old - value), kCounts)
    WEFT_CPU_FETCH(fetch_xor, old ^ value, kCounts)
    WEFT_CPU_FETCH(fetch_and, old & value, kNarrows)
    WEFT_CPU_FETCH(fetch_or, old | value, kNarrows)
    WEFT_CPU_FETCH(fetch_min, value < old ? value : old, kNarrows)
    WEFT_CPU_FETCH(fetch_max, old < value ? value : old, kNarrows)
#undef WEFT_CPU_FETCH

    T operator=(T value) const {
        store(value);
        return value;
    }
    operator T() const { return load(); }
    T operator++() const { return fetch_add(1) + 1; }
    T operator++(int) const { return fetch_add(1); }
    T operator--() const { return fetch_sub(1) - 1; }
    T operator--(int) const { return fetch_sub(1); }
    T operator+=(T value) const { return fetch_add(value) + value; }
    T operator-=(T value) const { return fetch_sub(value) - value; }

private:
    T* address_;
};

template <typename T, thread_scope Scope = thread_scope_system>
class atomic {
    mutable T value_;

    atomic_ref<T, Scope> ref() const { return atomic_ref<T, Scope>(value_); }

public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic&) = delete;

#define WEFT_CPU_FORWARD(name)                                              \
    T name(T value, memory_order order = memory_order_seq_cst) {            \
        return ref().name(value, order);                                    \
    }
    WEFT_CPU_FORWARD(exchange)
    WEFT_CPU_FORWARD(fetch_add)
    WEFT_CPU_FORWARD(fetch_sub)
    WEFT_CPU_FORWARD(fetch_xor)
    WEFT_CPU_FORWARD(fetch_and)
    WEFT_CPU_FORWARD(fetch_or)
    WEFT_CPU_FORWARD(fetch_min)
    WEFT_CPU_FORWARD(fetch_max)
#undef WEFT_CPU_FORWARD

    T load(memory_order order = memory_order_seq_cst) const { return ref().load(order); }
    void store(T value, memory_order order = memory_order_seq_cst) { ref().store(value, order); }
    template <typename... Orders>
    bool compare_exchange_strong(T& expected, T value, Orders... orders) {
        return ref().compare_exchange_strong(expected, value, orders...);
    }
    template <typename... Orders>
    bool compare_exchange_weak(T& expected, T value, Orders... orders) {
        return ref().compare_exchange_strong(expected, value, orders...);
    }
    T operator=(T value) { return ref() = value; }
    operator T() const { return load(); }
    T operator++() { return ++ref(); }
    T operator++(int) { return ref()++; }
    T operator--() { return --ref(); }
    T operator--(int) { return ref()--; }
    T operator+=(T value) { return ref() += value; }
    T operator-=(T value) { return ref() -= value; }
};

template <typename T = void>
struct maximum {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T = void>
struct minimum {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <>
struct maximum<void> {
    template <typename T>
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <>
struct minimum<void> {
    template <typename T>
    T operator()(T a, T b) const { return b < a ? b : a; }
};

template <typename T>
T ceil_div(T a, T b) { return a / b + (a % b != 0); }

}  // namespace weft_cpu

namespace std {

using namespace ::std;
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <typename T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <typename T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;

}  // namespace std
}  // namespace cuda

#pragma GCC pop_options
