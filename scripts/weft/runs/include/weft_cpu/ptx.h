// Instructions of inline PTX, as weft.runs.candidate_ptx writes them (PTX ISA, "Instruction Set"). Registers have bits, and
// instructions types: `as` takes the bits of an operand for a type, `put` puts those of a result into an operand.
#pragma once

#include <stdint.h>

#include "../cuda_runtime.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace weft_ptx {

template <typename To, typename From>
inline To bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "an instruction whose operand has another size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <typename To, typename From>
inline To as(From from) {
    if constexpr (std::is_pointer_v<From>) return static_cast<To>(reinterpret_cast<uintptr_t>(from));
    else if constexpr (std::is_floating_point_v<From> != std::is_floating_point_v<To> && sizeof(From) == sizeof(To)) return bits<To>(from);
    else return static_cast<To>(from);
}

template <typename T, typename To, typename Value>
inline void put(To& to, Value value) {
    if constexpr (std::is_pointer_v<To>) to = reinterpret_cast<To>(static_cast<uintptr_t>(as<T>(value)));
    else to = as<To>(as<T>(value));
}

template <typename T, typename Address>
inline T* at(Address address, long long offset) {
    static_assert(sizeof(Address) == 8, "an address in 32 bits");
    return reinterpret_cast<T*>((uintptr_t)address + offset);
}

template <int Items, typename T>
inline void aligned(T* address) {
    struct alignas(Items * sizeof(T)) Whole {
        char bytes[Items * sizeof(T)];
    };
    (void)reinterpret_cast<const Whole*>(address)->bytes[0];
    if (reinterpret_cast<uintptr_t>(address) % (Items * sizeof(T)) != 0) __trap();
}

inline unsigned int warp() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}

template <typename T>
using Unsigned = typename std::conditional_t<std::is_floating_point_v<T>, std::common_type<T>, std::make_unsigned<T>>::type;

template <typename T>
struct Wider;
template <>
struct Wider<uint16_t> { using type = uint32_t; };
template <>
struct Wider<int16_t> { using type = int32_t; };
template <>
struct Wider<uint32_t> { using type = uint64_t; };
template <>
struct Wider<int32_t> { using type = int64_t; };
template <typename T>
using wider = typename Wider<T>::type;

#define WEFT_CPU_BINARY(name, expression)                                     \
    template <typename T, typename A, typename B>                             \
    inline T name(A given_a, B given_b) {                                     \
        [[maybe_unused]] const auto a = as<Unsigned<T>>(as<T>(given_a));      \
        [[maybe_unused]] const auto b = as<Unsigned<T>>(as<T>(given_b));      \
        [[maybe_unused]] const T x = as<T>(given_a), y = as<T>(given_b);      \
        return static_cast<T>(expression);                                    \
    }
WEFT_CPU_BINARY(add, a + b)
WEFT_CPU_BINARY(sub, a - b)
WEFT_CPU_BINARY(mul, x * y)
WEFT_CPU_BINARY(mul_lo, a * b)
WEFT_CPU_BINARY(div, x / y)
WEFT_CPU_BINARY(div_approx, __fdividef(x, y))
WEFT_CPU_BINARY(rem, x % y)
WEFT_CPU_BINARY(and_, a & b)
WEFT_CPU_BINARY(or_, a | b)
WEFT_CPU_BINARY(xor_, a ^ b)
WEFT_CPU_BINARY(compare_eq, x == y)
WEFT_CPU_BINARY(compare_ne, x != y)
#undef WEFT_CPU_BINARY

#define WEFT_CPU_COMPARISON(name, operation)          \
    template <typename T, typename A, typename B>     \
    inline bool compare_##name(A a, B b) {            \
        return as<T>(a) operation as<T>(b);           \
    }
WEFT_CPU_COMPARISON(lt, <)
WEFT_CPU_COMPARISON(le, <=)
WEFT_CPU_COMPARISON(gt, >)
WEFT_CPU_COMPARISON(ge, >=)
WEFT_CPU_COMPARISON(lo, <)
WEFT_CPU_COMPARISON(ls, <=)
WEFT_CPU_COMPARISON(hi, >)
WEFT_CPU_COMPARISON(hs, >=)
#undef WEFT_CPU_COMPARISON

template <typename T, typename A, typename B>
inline T min(A a, B b) {
    const T x = as<T>(a), y = as<T>(b);
    if constexpr (std::is_floating_point_v<T>) return x < y || y != y ? x : y;
    else return x < y ? x : y;
}
template <typename T, typename A, typename B>
inline T max(A a, B b) {
    const T x = as<T>(a), y = as<T>(b);
    if constexpr (std::is_floating_point_v<T>) return x > y || y != y ? x : y;
    else return x > y ? x : y;
}
// By more than all bits, nothing is left but the sign.
template <typename T, typename A, typename B>
inline T shl(A a, B count) {
    const auto n = as<uint32_t>(count);
    return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(as<Unsigned<T>>(as<T>(a)) << n);
}
template <typename T, typename A, typename B>
inline T shr(A a, B count) {
    const auto n = as<uint32_t>(count);
    const T x = as<T>(a);
    if (n >= 8 * sizeof(T)) return x < T(0) ? static_cast<T>(-1) : T(0);
    return static_cast<T>(x >> n);
}
template <typename T, typename A, typename B>
inline T mul_hi(A a, B b) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>(static_cast<Wide>(as<T>(a)) * as<T>(b) >> 8 * sizeof(T));
}
template <typename T, typename A, typename B>
inline wider<T> mul_wide(A a, B b) {
    return static_cast<wider<T>>(as<T>(a)) * as<T>(b);
}
template <typename T, typename A, typename B, typename C>
inline T mad_lo(A a, B b, C c) {
    return add<T>(mul_lo<T>(a, b), c);
}
template <typename T, typename A, typename B, typename C>
inline T mad_hi(A a, B b, C c) {
    return add<T>(mul_hi<T>(a, b), c);
}
template <typename T, typename A, typename B, typename C>
inline wider<T> mad_wide(A a, B b, C c) {
    return add<wider<T>>(mul_wide<T>(a, b), c);
}
template <typename T, typename A, typename B, typename C>
inline T fma(A a, B b, C c) {
    if constexpr (sizeof(T) == 4) return ::fmaf(as<T>(a), as<T>(b), as<T>(c));
    else return ::fma(as<T>(a), as<T>(b), as<T>(c));
}
template <typename T, typename A, typename B, typename C>
inline T mad(A a, B b, C c) {
    return weft_ptx::fma<T>(a, b, c);
}
template <typename T, typename A, typename B, typename C>
inline T sad(A a, B b, C c) {
    return add<T>(as<T>(a) < as<T>(b) ? sub<T>(b, a) : sub<T>(a, b), c);
}

#define WEFT_CPU_UNARY(name, expression)      \
    template <typename T, typename A>         \
    inline T name(A given) {                  \
        const T x = as<T>(given);             \
        return static_cast<T>(expression);    \
    }
WEFT_CPU_UNARY(not_, ~x)
WEFT_CPU_UNARY(cnot, x == 0)
WEFT_CPU_UNARY(neg, T(0) - x)
WEFT_CPU_UNARY(abs, x < T(0) ? T(0) - x : x + T(0))
WEFT_CPU_UNARY(sqrt, ::sqrt(x))
WEFT_CPU_UNARY(sqrt_approx, sqrtf(x))
WEFT_CPU_UNARY(rsqrt_approx, rsqrtf(x))
WEFT_CPU_UNARY(rcp, T(1) / x)
WEFT_CPU_UNARY(rcp_approx, __fdividef(1.0f, x))
WEFT_CPU_UNARY(ex2_approx, exp2f(x))
WEFT_CPU_UNARY(lg2_approx, __log2f(x))
WEFT_CPU_UNARY(sin_approx, __sinf(x))
WEFT_CPU_UNARY(cos_approx, __cosf(x))
#undef WEFT_CPU_UNARY

template <typename T, typename A>
inline uint32_t popc(A a) {
    return __popcll(as<Unsigned<T>>(as<T>(a)));
}
template <typename T, typename A>
inline uint32_t clz(A a) {
    if constexpr (sizeof(T) == 4) return __clz(as<T>(a));
    else return __clzll(as<T>(a));
}
template <typename T, typename A>
inline T brev(A a) {
    if constexpr (sizeof(T) == 4) return __brev(as<T>(a));
    else return __brevll(as<T>(a));
}
template <typename T, typename A>
inline uint32_t bfind(A a) {
    const T x = as<T>(a);
    const auto bits = static_cast<Unsigned<T>>(x < T(0) ? ~x : x);
    return bits == 0 ? ~0u : 8 * sizeof(T) - 1 - clz<Unsigned<T>>(bits);
}
template <typename T, typename A, typename B, typename C>
inline T bfe(A a, B position, C length) {
    const unsigned int first = as<uint32_t>(position) & 255, count = as<uint32_t>(length) & 255;
    const unsigned int width = 8 * sizeof(T);
    const T x = as<T>(a);
    if (count == 0) return 0;
    const unsigned int last = first + count - 1 < width - 1 ? first + count - 1 : width - 1;
    const bool sign = std::is_signed_v<T> && x >> last & 1;
    Unsigned<T> result = sign ? ~Unsigned<T>(0) : Unsigned<T>(0);
    for (unsigned int i = 0; i < count && i < width && first + i < width; ++i) {
        const Unsigned<T> bit = static_cast<Unsigned<T>>(x) >> (first + i) & 1;
        result = (result & ~(Unsigned<T>(1) << i)) | bit << i;
    }
    return static_cast<T>(result);
}
template <typename T, typename A, typename B, typename C, typename D>
inline T bfi(A a, B b, C position, D length) {
    const unsigned int first = as<uint32_t>(position) & 255, count = as<uint32_t>(length) & 255;
    T result = as<T>(b);
    for (unsigned int i = 0; i < count && first + i < 8 * sizeof(T); ++i) {
        result = (result & ~(T(1) << (first + i))) | (as<T>(a) >> i & 1) << (first + i);
    }
    return result;
}
template <typename T, typename A, typename B, typename C, typename D>
inline T lop3(A a, B b, C c, D table) {
    uint32_t result = 0;
    for (int i = 0; i < 32; ++i) {
        const unsigned int row = (as<uint32_t>(a) >> i & 1) << 2 | (as<uint32_t>(b) >> i & 1) << 1 | (as<uint32_t>(c) >> i & 1);
        result |= (as<uint32_t>(table) >> row & 1) << i;
    }
    return result;
}
template <typename T, typename A, typename B, typename C>
inline T prmt(A a, B b, C selector) {
    return __byte_perm(as<uint32_t>(a), as<uint32_t>(b), as<uint32_t>(selector));
}

template <typename To, typename From, typename Result, typename A, typename Round>
inline void convert(Result& result, A a, Round round) {
    const From x = as<From>(a);
    if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) put<To>(result, weft_cpu::saturate<To>(round(x)));
    else if constexpr (std::is_floating_point_v<From> && sizeof(From) == sizeof(To)) put<To>(result, static_cast<To>(round(x)));
    else put<To>(result, static_cast<To>(x));
}
#define WEFT_CPU_CONVERT(rounding, function)                                              \
    template <typename To, typename From, typename Result, typename A>                    \
    inline void convert_##rounding(Result& result, A a) {                                 \
        convert<To, From>(result, a, [](auto x) { return function(x); });                 \
    }
WEFT_CPU_CONVERT(rn, )
WEFT_CPU_CONVERT(rzi, trunc)
WEFT_CPU_CONVERT(rni, nearbyint)
WEFT_CPU_CONVERT(rmi, floor)
WEFT_CPU_CONVERT(rpi, ceil)
#undef WEFT_CPU_CONVERT

}  // namespace weft_ptx

#pragma GCC pop_options
