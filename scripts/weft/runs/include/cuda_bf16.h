// bfloat16 (CUDA Math API, "Bfloat16 Precision Intrinsics"): the upper half of a float, computed in float and
// rounded to nearest even.
#pragma once

#include "cuda_runtime.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace weft_cpu {

inline unsigned short bfloat16_bits(float x) {
    const unsigned int bits = bit_cast<unsigned int>(x);
    if (x != x) return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// A double is rounded once: first to a float whose last bit is made odd where it is inexact.
inline unsigned short bfloat16_bits(double x) {
    float nearest = static_cast<float>(x);
    unsigned int bits = bit_cast<unsigned int>(nearest);
    if (nearest != x && nearest == nearest && (bits & 1u) == 0) {
        bits += fabs(static_cast<double>(nearest)) < fabs(x) ? 1u : -1u;
        nearest = bit_cast<float>(bits);
    }
    return bfloat16_bits(nearest);
}

}  // namespace weft_cpu

struct alignas(2) __nv_bfloat16_raw {
    unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
    __nv_bfloat16(float x) : __x(weft_cpu::bfloat16_bits(x)) {}
    __nv_bfloat16(double x) : __x(weft_cpu::bfloat16_bits(x)) {}
    __nv_bfloat16(short x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(unsigned short x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(int x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(unsigned int x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(long x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(unsigned long x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(long long x) : __nv_bfloat16(static_cast<double>(x)) {}
    __nv_bfloat16(unsigned long long x) : __nv_bfloat16(static_cast<double>(x)) {}

    operator __nv_bfloat16_raw() const { return {__x}; }
    operator float() const { return weft_cpu::bit_cast<float>(static_cast<unsigned int>(__x) << 16); }
    operator bool() const { return (__x & 0x7fffu) != 0; }
    operator signed char() const { return weft_cpu::saturate<signed char>(trunc(float(*this))); }
    operator unsigned char() const { return weft_cpu::saturate<unsigned char>(trunc(float(*this))); }
    operator char() const { return weft_cpu::saturate<char>(trunc(float(*this))); }
    operator short() const { return weft_cpu::saturate<short>(trunc(float(*this))); }
    operator unsigned short() const { return weft_cpu::saturate<unsigned short>(trunc(float(*this))); }
    operator int() const { return __float2int_rz(*this); }
    operator unsigned int() const { return __float2uint_rz(*this); }
    operator long() const { return __float2ll_rz(*this); }
    operator unsigned long() const { return __float2ull_rz(*this); }
    operator long long() const { return __float2ll_rz(*this); }
    operator unsigned long long() const { return __float2ull_rz(*this); }

    __nv_bfloat16& operator=(float x) { return *this = __nv_bfloat16(x); }
    __nv_bfloat16& operator=(double x) { return *this = __nv_bfloat16(x); }
};
using nv_bfloat16 = __nv_bfloat16;

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(x); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
inline short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.__x); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
    return __nv_bfloat16(__nv_bfloat16_raw{x});
}
inline __nv_bfloat16 __short_as_bfloat16(short x) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(x));
}

#define WEFT_CPU_BFLOAT16(symbol, name)                                                   \
    inline __nv_bfloat16 operator symbol(__nv_bfloat16 a, __nv_bfloat16 b) {              \
        return __nv_bfloat16(float(a) symbol float(b));                                   \
    }                                                                                     \
    inline __nv_bfloat16& operator symbol##=(__nv_bfloat16 & a, __nv_bfloat16 b) {        \
        return a = a symbol b;                                                            \
    }                                                                                     \
    inline __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return a symbol b; }    \
    inline __nv_bfloat16 name##_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a symbol b; }

WEFT_CPU_BFLOAT16(+, __hadd)
WEFT_CPU_BFLOAT16(-, __hsub)
WEFT_CPU_BFLOAT16(*, __hmul)
WEFT_CPU_BFLOAT16(/, __hdiv)

#undef WEFT_CPU_BFLOAT16

#define WEFT_CPU_BFLOAT16(symbol, name)                                                                \
    inline bool operator symbol(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) symbol float(b); } \
    inline bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return a symbol b; }

WEFT_CPU_BFLOAT16(==, __heq)
WEFT_CPU_BFLOAT16(!=, __hne)
WEFT_CPU_BFLOAT16(<, __hlt)
WEFT_CPU_BFLOAT16(<=, __hle)
WEFT_CPU_BFLOAT16(>, __hgt)
WEFT_CPU_BFLOAT16(>=, __hge)

#undef WEFT_CPU_BFLOAT16

inline __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
inline __nv_bfloat16 operator-(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x ^ 0x8000u); }
inline __nv_bfloat16& operator++(__nv_bfloat16& a) { return a += __nv_bfloat16(1.0f); }
inline __nv_bfloat16& operator--(__nv_bfloat16& a) { return a -= __nv_bfloat16(1.0f); }
inline __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
inline __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x & 0x7fffu); }
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fminf(a, b)); }
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fmaxf(a, b)); }
inline bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fffu) > 0x7f80u; }
inline int __hisinf(__nv_bfloat16 a) { return (a.__x & 0x7fffu) != 0x7f80u ? 0 : a.__x == 0x7f80u ? 1 : -1; }

#define WEFT_CPU_BFLOAT16(name, function) \
    inline __nv_bfloat16 name(__nv_bfloat16 a) { return __nv_bfloat16(function(float(a))); }

WEFT_CPU_BFLOAT16(hsqrt, sqrtf)
WEFT_CPU_BFLOAT16(hexp, expf)
WEFT_CPU_BFLOAT16(hlog, logf)
WEFT_CPU_BFLOAT16(hsin, sinf)
WEFT_CPU_BFLOAT16(hcos, cosf)
WEFT_CPU_BFLOAT16(hfloor, floorf)
WEFT_CPU_BFLOAT16(hceil, ceilf)
WEFT_CPU_BFLOAT16(htrunc, truncf)
WEFT_CPU_BFLOAT16(hrint, rintf)

#undef WEFT_CPU_BFLOAT16

inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
    return weft_cpu::update(address, [=](__nv_bfloat16 old) { return old + value; });
}

#pragma GCC pop_options
