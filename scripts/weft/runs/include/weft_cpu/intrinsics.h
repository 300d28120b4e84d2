// Barriers, warp functions, bit functions and conversions of device code.
#pragma once

namespace weft_cpu {

template <typename To, typename From>
inline auto bit_cast(From from) {
    static_assert(sizeof(To) >= sizeof(From), "no room for the bits");
    To to{};
    memcpy(&to, &from, sizeof(From));
    return to;
}

template <typename To, typename From>
inline auto low_bits(From from) {
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

template <typename T>
inline auto shuffle(Together together, unsigned int mask, T value, unsigned int source) {
    static_assert(sizeof(T) <= 8, "warp shuffles move 4 or 8 bytes");
    return low_bits<T>(exchange(together, mask, bit_cast<unsigned long long>(value)).value[source % 32]);
}

// A shuffle is within parts of a warp, of as many lanes.
inline void check_width(int width) {
    if (width < 1 || width > 32 || (width & (width - 1))) undefined_width(width);
}

template <typename T, typename Combine>
inline auto reduce(unsigned int mask, T value, Combine combine) {
    const Exchange& all = exchange(Together::kReduce, mask, bit_cast<unsigned long long>(value));
    const unsigned int self = lane();
    for (unsigned int i = 0; i < 32; ++i) {
        if (i != self && (all.lanes >> i & 1)) value = combine(value, low_bits<T>(all.value[i]));
    }
    return value;
}

}  // namespace weft_cpu

inline void __syncthreads(weft_cpu::Site site = WEFT_CPU_HERE) { weft_cpu::barrier(false, site); }
inline int __syncthreads_count(int predicate, weft_cpu::Site site = WEFT_CPU_HERE) {
    return weft_cpu::barrier(predicate != 0, site).truths;
}
inline int __syncthreads_or(int predicate, weft_cpu::Site site = WEFT_CPU_HERE) {
    return weft_cpu::barrier(predicate != 0, site).truths != 0;
}
inline int __syncthreads_and(int predicate, weft_cpu::Site site = WEFT_CPU_HERE) {
    const weft_cpu::BarrierCount count = weft_cpu::barrier(predicate != 0, site);
    return count.truths == count.threads;
}
inline void __syncwarp(unsigned int mask = 0xffffffffu) { weft_cpu::sync_warp(mask); }
inline void __threadfence() { weft_cpu::fence(true); }
inline void __threadfence_block() { weft_cpu::fence(false); }
inline void __threadfence_system() { weft_cpu::fence(true); }

template <typename T>
inline T __shfl_sync(unsigned int mask, T value, int source, int width = 32) {
    weft_cpu::check_width(width);
    const int lane = weft_cpu::lane();
    return weft_cpu::shuffle(weft_cpu::Together::kShuffle, mask, value, (lane & ~(width - 1)) + (source & (width - 1)));
}

template <typename T>
inline T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
    weft_cpu::check_width(width);
    const int lane = weft_cpu::lane();
    const int source = lane - static_cast<int>(delta);
    return weft_cpu::shuffle(weft_cpu::Together::kShuffleUp, mask, value, source < (lane & ~(width - 1)) ? lane : source);
}

template <typename T>
inline T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
    weft_cpu::check_width(width);
    const int lane = weft_cpu::lane();
    const bool inside = (lane & (width - 1)) + static_cast<int>(delta) < width;
    return weft_cpu::shuffle(weft_cpu::Together::kShuffleDown, mask, value, inside ? lane + delta : lane);
}

template <typename T>
inline T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) {
    weft_cpu::check_width(width);
    const int lane = weft_cpu::lane();
    const int source = lane ^ lane_mask;
    return weft_cpu::shuffle(weft_cpu::Together::kShuffleXor, mask, value, source >= (lane & ~(width - 1)) + width ? lane : source);
}

inline unsigned int __ballot_sync(unsigned int mask, int predicate) {
    const weft_cpu::Exchange& all = weft_cpu::exchange(weft_cpu::Together::kVote, mask, predicate != 0);
    unsigned int ballot = 0;
    for (unsigned int i = 0; i < 32; ++i) {
        if ((all.lanes >> i & 1) && all.value[i]) ballot |= 1u << i;
    }
    return ballot;
}
inline int __any_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
inline unsigned int __activemask() { return weft_cpu::active_lanes(); }

template <typename T>
inline unsigned int __match_any_sync(unsigned int mask, T value) {
    const unsigned long long bits = weft_cpu::bit_cast<unsigned long long>(value);
    const weft_cpu::Exchange& all = weft_cpu::exchange(weft_cpu::Together::kMatch, mask, bits);
    unsigned int same = 0;
    for (unsigned int i = 0; i < 32; ++i) {
        if ((all.lanes >> i & 1) && all.value[i] == bits) same |= 1u << i;
    }
    return same;
}

template <typename T>
inline unsigned int __match_all_sync(unsigned int mask, T value, int* predicate) {
    const unsigned long long bits = weft_cpu::bit_cast<unsigned long long>(value);
    const weft_cpu::Exchange& all = weft_cpu::exchange(weft_cpu::Together::kMatch, mask, bits);
    *predicate = 1;
    for (unsigned int i = 0; i < 32; ++i) {
        if ((all.lanes >> i & 1) && all.value[i] != bits) *predicate = 0;
    }
    return *predicate ? all.lanes : 0;
}

inline unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return a + b; });
}
inline int __reduce_add_sync(unsigned int mask, int value) {
    return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}
inline unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return min(a, b); });
}
inline int __reduce_min_sync(unsigned int mask, int value) {
    return weft_cpu::reduce(mask, value, [](int a, int b) { return min(a, b); });
}
inline unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return max(a, b); });
}
inline int __reduce_max_sync(unsigned int mask, int value) {
    return weft_cpu::reduce(mask, value, [](int a, int b) { return max(a, b); });
}
inline unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return a & b; });
}
inline unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return a | b; });
}
inline unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
    return weft_cpu::reduce(mask, value, [](unsigned int a, unsigned int b) { return a ^ b; });
}

// For the types that CUDA has it for, which are neither bool, nor vectors of three, nor structs.
#define WEFT_CPU_LDG(type)                                   \
    inline type __ldg(const type* address) {                 \
        weft_cpu::touch_read_only(address, sizeof(type));    \
        return *address;                                     \
    }
#define WEFT_CPU_LDG_VECTORS(name) WEFT_CPU_LDG(name##2) WEFT_CPU_LDG(name##4)

WEFT_CPU_LDG(char)
WEFT_CPU_LDG(signed char)
WEFT_CPU_LDG(unsigned char)
WEFT_CPU_LDG(short)
WEFT_CPU_LDG(unsigned short)
WEFT_CPU_LDG(int)
WEFT_CPU_LDG(unsigned int)
WEFT_CPU_LDG(long)
WEFT_CPU_LDG(unsigned long)
WEFT_CPU_LDG(long long)
WEFT_CPU_LDG(unsigned long long)
WEFT_CPU_LDG(float)
WEFT_CPU_LDG(double)
WEFT_CPU_LDG(double2)
WEFT_CPU_LDG(longlong2)
WEFT_CPU_LDG(ulonglong2)
WEFT_CPU_LDG_VECTORS(char)
WEFT_CPU_LDG_VECTORS(uchar)
WEFT_CPU_LDG_VECTORS(short)
WEFT_CPU_LDG_VECTORS(ushort)
WEFT_CPU_LDG_VECTORS(int)
WEFT_CPU_LDG_VECTORS(uint)
WEFT_CPU_LDG_VECTORS(float)

#undef WEFT_CPU_LDG_VECTORS
#undef WEFT_CPU_LDG

#define WEFT_CPU_LOAD(name)            \
    template <typename T>              \
    inline T name(const T* address) {  \
        return *address;               \
    }
#define WEFT_CPU_STORE(name)                   \
    template <typename T>                      \
    inline void name(T* address, T value) {    \
        *address = value;                      \
    }

WEFT_CPU_LOAD(__ldca)
WEFT_CPU_LOAD(__ldcg)
WEFT_CPU_LOAD(__ldcs)
WEFT_CPU_LOAD(__ldcv)
WEFT_CPU_LOAD(__ldlu)
WEFT_CPU_STORE(__stcg)
WEFT_CPU_STORE(__stcs)
WEFT_CPU_STORE(__stwb)
WEFT_CPU_STORE(__stwt)

#undef WEFT_CPU_STORE
#undef WEFT_CPU_LOAD

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) {
    unsigned int reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1u) << (31 - i);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
           __brev(static_cast<unsigned int>(x >> 32));
}
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __mul24(int a, int b) {
    return static_cast<int>(static_cast<unsigned int>(a << 8 >> 8) * static_cast<unsigned int>(b << 8 >> 8));
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >>
                                     32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}

inline int __float_as_int(float x) { return weft_cpu::bit_cast<int>(x); }
inline unsigned int __float_as_uint(float x) { return weft_cpu::bit_cast<unsigned int>(x); }
inline float __int_as_float(int x) { return weft_cpu::bit_cast<float>(x); }
inline float __uint_as_float(unsigned int x) { return weft_cpu::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return weft_cpu::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return weft_cpu::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}

// Conversions saturate, and NaN gives 0 (PTX ISA, cvt), where C++ leaves them undefined. `_rn` rounds half to
// even,
// `_rz` towards zero, `_rd` down, `_ru` up.
namespace weft_cpu {

template <typename To>
inline auto saturate(double x) {
    constexpr bool is_signed = static_cast<To>(-1) < static_cast<To>(0);
    constexpr To lowest = is_signed ? static_cast<To>(1ull << (8 * sizeof(To) - 1)) : To(0);
    constexpr To highest = static_cast<To>(~lowest);
    if (x != x) return To(0);
    if (x < static_cast<double>(lowest)) return lowest;
    if (x >= ldexp(1.0, 8 * sizeof(To) - is_signed)) return highest;
    return static_cast<To>(x);
}

}  // namespace weft_cpu

#define WEFT_CPU_CONVERSIONS(scalar, source, type, target)                                              \
    inline type __##source##2##target##_rn(scalar x) { return weft_cpu::saturate<type>(nearbyint(x)); } \
    inline type __##source##2##target##_rz(scalar x) { return weft_cpu::saturate<type>(trunc(x)); }     \
    inline type __##source##2##target##_rd(scalar x) { return weft_cpu::saturate<type>(floor(x)); }     \
    inline type __##source##2##target##_ru(scalar x) { return weft_cpu::saturate<type>(ceil(x)); }

WEFT_CPU_CONVERSIONS(float, float, int, int)
WEFT_CPU_CONVERSIONS(float, float, unsigned int, uint)
WEFT_CPU_CONVERSIONS(float, float, long long, ll)
WEFT_CPU_CONVERSIONS(float, float, unsigned long long, ull)
WEFT_CPU_CONVERSIONS(double, double, int, int)
WEFT_CPU_CONVERSIONS(double, double, unsigned int, uint)
WEFT_CPU_CONVERSIONS(double, double, long long, ll)
WEFT_CPU_CONVERSIONS(double, double, unsigned long long, ull)

#undef WEFT_CPU_CONVERSIONS

inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return static_cast<double>(x); }
inline double __uint2double_rn(unsigned int x) { return static_cast<double>(x); }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

// Device clocks: so many cycles a call, so that results don't depend on time. They begin elsewhere in each order of
// threads, and go at another speed.
long long clock64();
inline void __nanosleep(unsigned int) {}
[[noreturn, gnu::noinline]] inline void __trap() { abort(); }
