// Several small integers in one of 32 bits (CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics").
#pragma once

namespace weft_cpu {

// The value of `f` for each of the lanes of type Lane that a and b hold.
template <typename Lane, typename F>
inline auto lanes(unsigned int a, unsigned int b, F f) {
    unsigned int result = 0;
    for (unsigned int shift = 0; shift < 32; shift += 8 * sizeof(Lane)) {
        const auto value = f(static_cast<Lane>(a >> shift), static_cast<Lane>(b >> shift));
        const unsigned int bits = static_cast<unsigned int>(value) & ~0u >> (32 - 8 * sizeof(Lane));
        result |= bits << shift;
    }
    return result;
}

template <typename Lane>
inline auto clamp_to(int x) {
    constexpr bool is_signed = static_cast<Lane>(-1) < static_cast<Lane>(0);
    constexpr int highest = is_signed ? (1 << (8 * sizeof(Lane) - 1)) - 1 : (1 << 8 * sizeof(Lane)) - 1;
    constexpr int lowest = is_signed ? -highest - 1 : 0;
    return x < lowest ? lowest : x > highest ? highest : x;
}

}  // namespace weft_cpu

#define WEFT_CPU_LANES(name, Lane, expression)                                                              \
    inline unsigned int name(unsigned int a, unsigned int b) {                                              \
        return weft_cpu::lanes<Lane>(a, b, [](int x, [[maybe_unused]] int y) { return expression; });       \
    }
#define WEFT_CPU_LANES_OF_ONE(name, Lane, expression)                                             \
    inline unsigned int name(unsigned int a) {                                                    \
        return weft_cpu::lanes<Lane>(a, 0, [](int x, int) { return expression; });                \
    }
#define WEFT_CPU_SUM(name, Lane)                                                                  \
    inline unsigned int name(unsigned int a, unsigned int b) {                                    \
        unsigned int sum = 0;                                                                     \
        for (unsigned int shift = 0; shift < 32; shift += 8 * sizeof(Lane))                       \
            sum += abs(static_cast<Lane>(a >> shift) - static_cast<Lane>(b >> shift));            \
        return sum;                                                                               \
    }
// A comparison gives all bits of a lane (cmp), or its lowest (set).
#define WEFT_CPU_COMPARED(count, name, Lane, symbol)                       \
    WEFT_CPU_LANES(__vcmp##name##count, Lane, x symbol y ? -1 : 0)         \
    WEFT_CPU_LANES(__vset##name##count, Lane, x symbol y ? 1 : 0)
#define WEFT_CPU_PACKED(count, Signed, Unsigned)                                              \
    WEFT_CPU_LANES(__vadd##count, Unsigned, x + y)                                            \
    WEFT_CPU_LANES(__vsub##count, Unsigned, x - y)                                            \
    WEFT_CPU_LANES(__vaddss##count, Signed, weft_cpu::clamp_to<Signed>(x + y))                \
    WEFT_CPU_LANES(__vaddus##count, Unsigned, weft_cpu::clamp_to<Unsigned>(x + y))            \
    WEFT_CPU_LANES(__vsubss##count, Signed, weft_cpu::clamp_to<Signed>(x - y))                \
    WEFT_CPU_LANES(__vsubus##count, Unsigned, weft_cpu::clamp_to<Unsigned>(x - y))            \
    WEFT_CPU_LANES(__vavgs##count, Signed, (x + y + (x + y >= 0)) >> 1)                       \
    WEFT_CPU_LANES(__vavgu##count, Unsigned, (x + y + 1) >> 1)                                \
    WEFT_CPU_LANES(__vhaddu##count, Unsigned, (x + y) >> 1)                                   \
    WEFT_CPU_LANES(__vabsdiffs##count, Signed, abs(x - y))                                    \
    WEFT_CPU_LANES(__vabsdiffu##count, Unsigned, abs(x - y))                                  \
    WEFT_CPU_LANES(__vmaxs##count, Signed, x > y ? x : y)                                     \
    WEFT_CPU_LANES(__vmaxu##count, Unsigned, x > y ? x : y)                                   \
    WEFT_CPU_LANES(__vmins##count, Signed, x < y ? x : y)                                     \
    WEFT_CPU_LANES(__vminu##count, Unsigned, x < y ? x : y)                                   \
    WEFT_CPU_LANES_OF_ONE(__vabs##count, Signed, abs(x))                                      \
    WEFT_CPU_LANES_OF_ONE(__vabsss##count, Signed, weft_cpu::clamp_to<Signed>(abs(x)))        \
    WEFT_CPU_LANES_OF_ONE(__vneg##count, Signed, -x)                                          \
    WEFT_CPU_LANES_OF_ONE(__vnegss##count, Signed, weft_cpu::clamp_to<Signed>(-x))            \
    WEFT_CPU_SUM(__vsads##count, Signed)                                                      \
    WEFT_CPU_SUM(__vsadu##count, Unsigned)                                                    \
    WEFT_CPU_COMPARED(count, eq, Unsigned, ==)                                                \
    WEFT_CPU_COMPARED(count, ne, Unsigned, !=)                                                \
    WEFT_CPU_COMPARED(count, ges, Signed, >=)                                                 \
    WEFT_CPU_COMPARED(count, geu, Unsigned, >=)                                               \
    WEFT_CPU_COMPARED(count, gts, Signed, >)                                                  \
    WEFT_CPU_COMPARED(count, gtu, Unsigned, >)                                                \
    WEFT_CPU_COMPARED(count, les, Signed, <=)                                                 \
    WEFT_CPU_COMPARED(count, leu, Unsigned, <=)                                               \
    WEFT_CPU_COMPARED(count, lts, Signed, <)                                                  \
    WEFT_CPU_COMPARED(count, ltu, Unsigned, <)

WEFT_CPU_PACKED(2, short, unsigned short)
WEFT_CPU_PACKED(4, signed char, unsigned char)

#undef WEFT_CPU_PACKED
#undef WEFT_CPU_COMPARED
#undef WEFT_CPU_SUM
#undef WEFT_CPU_LANES_OF_ONE
#undef WEFT_CPU_LANES

namespace weft_cpu {

// Products of bytes, or of 16 bits and bytes, and their sum with c.
template <typename Left, typename Right, typename Sum>
inline Sum dot(unsigned int a, unsigned int b, Sum c) {
    for (unsigned int i = 0; i < 4 / sizeof(Left); ++i) {
        c += static_cast<Sum>(static_cast<Left>(a >> 8 * sizeof(Left) * i)) *
             static_cast<Sum>(static_cast<Right>(b >> 8 * sizeof(Right) * i));
    }
    return c;
}

}  // namespace weft_cpu

inline int __dp4a(int a, int b, int c) { return weft_cpu::dot<signed char, signed char>(a, b, c); }
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    return weft_cpu::dot<unsigned char, unsigned char>(a, b, c);
}
inline int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(weft_cpu::bit_cast<int>(a), weft_cpu::bit_cast<int>(b), c);
}
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(weft_cpu::bit_cast<unsigned int>(a), weft_cpu::bit_cast<unsigned int>(b), c);
}
inline int __dp2a_lo(int a, int b, int c) { return weft_cpu::dot<short, signed char>(a, b, c); }
inline int __dp2a_hi(int a, int b, int c) { return weft_cpu::dot<short, signed char>(a, b >> 16, c); }
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return weft_cpu::dot<unsigned short, unsigned char>(a, b, c);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return weft_cpu::dot<unsigned short, unsigned char>(a, b >> 16, c);
}

// Each byte of the result is one of the eight of y and x, which the lower bits of a hexadecimal digit of s number.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned int result = 0;
    for (unsigned int i = 0; i < 4; ++i) {
        result |= static_cast<unsigned int>(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
    }
    return result;
}

inline unsigned int __sad(int x, int y, unsigned int z) {
    const long long difference = static_cast<long long>(x) - y;
    return z + static_cast<unsigned int>(difference < 0 ? -difference : difference);
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return z + (x < y ? y - x : x - y); }
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// The place of the bit that is `offset` set bits from `base` on, counted from 1 upwards or -1 downwards; `base` itself
// for 0, if it is set. All bits if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return mask >> base & 1u ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1u) && --left == 0) return static_cast<unsigned int>(bit);
    }
    return 0xffffffffu;
}
