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

inline float bfloat16_value(unsigned short bits) {
    return bit_cast<float>(static_cast<unsigned int>(bits) << 16);
}

}  // namespace weft_cpu

#define NARROW __nv_bfloat16
#define NARROW_RAW __nv_bfloat16_raw
#define NARROW_BITS weft_cpu::bfloat16_bits
#define NARROW_VALUE weft_cpu::bfloat16_value
#define NARROW_INFINITY 0x7f80u
#include "weft_cpu/narrow_float.h"

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

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {__nv_bfloat16(x), __nv_bfloat16(y)}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)}; }
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return {a.x, a.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return {a.y, a.y}; }

#define NARROW __nv_bfloat16
#define PAIR __nv_bfloat162
#include "weft_cpu/narrow_pair.h"

#pragma GCC pop_options
