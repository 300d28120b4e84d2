// Half precision (CUDA Math API, "Half Precision Intrinsics"): IEEE binary16 kept as bits, computed in float
// or double and rounded to nearest even once, which is exact for + - * / and sqrt.
#pragma once

#include "cuda_runtime.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace weft_cpu {

// Bits of the half nearest to x.
inline unsigned short half_bits(double x) {
    const unsigned long long bits = bit_cast<unsigned long long>(x);
    const unsigned short sign = static_cast<unsigned short>(bits >> 48 & 0x8000u);
    const double a = fabs(x);
    if (x != x) return 0x7fff;
    if (a >= 65520.0) return sign | 0x7c00u;
    // Adding and taking away 2^52 rounds to an integer; a carry moves into the exponent as it should.
    constexpr double kRound = 4503599627370496.0;
    if (a < 0x1p-14) return sign | static_cast<unsigned short>(a * 0x1p24 + kRound - kRound);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    const double mantissa = bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
    const double rounded = mantissa * 1024.0 + kRound - kRound;
    return sign | static_cast<unsigned short>(((exponent + 15) << 10) + static_cast<int>(rounded) - 1024);
}

inline float half_value(unsigned short bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const unsigned int sign = static_cast<unsigned int>(bits & 0x8000u) << 16;
    if (exponent == 0) return bit_cast<float>(bit_cast<unsigned int>(mantissa * 0x1p-24f) | sign);
    const unsigned int biased = exponent == 31 ? 255 : exponent + 112;
    return bit_cast<float>(sign | biased << 23 | static_cast<unsigned int>(mantissa) << 13);
}

}  // namespace weft_cpu

#define NARROW __half
#define NARROW_RAW __half_raw
#define NARROW_BITS weft_cpu::half_bits
#define NARROW_VALUE weft_cpu::half_value
#define NARROW_INFINITY 0x7c00u
#include "weft_cpu/narrow_float.h"

using half = __half;

struct alignas(4) __half2 {
    __half x, y;
};
using half2 = __half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline __half __int2half_rn(int x) { return __half(x); }
inline __half __uint2half_rn(unsigned int x) { return __half(x); }
inline __half __short2half_rn(short x) { return __half(x); }
inline __half __ushort2half_rn(unsigned short x) { return __half(x); }
inline __half __ll2half_rn(long long x) { return __half(x); }
inline __half __ull2half_rn(unsigned long long x) { return __half(x); }
inline float __half2float(__half x) { return x; }
inline int __half2int_rz(__half x) { return __float2int_rz(x); }
inline int __half2int_rn(__half x) { return __float2int_rn(x); }
inline int __half2int_rd(__half x) { return __float2int_rd(x); }
inline int __half2int_ru(__half x) { return __float2int_ru(x); }
inline unsigned int __half2uint_rz(__half x) { return __float2uint_rz(x); }
inline long long __half2ll_rz(__half x) { return __float2ll_rz(x); }
inline unsigned long long __half2ull_rz(__half x) { return __float2ull_rz(x); }
inline unsigned short __half_as_ushort(__half x) { return x.__x; }
inline short __half_as_short(__half x) { return static_cast<short>(x.__x); }
inline __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
inline __half __short_as_half(short x) { return __half(__half_raw{static_cast<unsigned short>(x)}); }

inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
inline __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
inline __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
inline float2 __half22float2(__half2 a) { return {a.x, a.y}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define NARROW __half
#define PAIR __half2
#include "weft_cpu/narrow_pair.h"

#pragma GCC pop_options
