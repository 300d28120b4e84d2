// Two floats of 16 bits, each computed as one alone (CUDA Math API, "Half2" and "Bfloat162" functions).
//
// Included once for each type that narrow_float.h defines, which first defines
//   NARROW, PAIR  the names of the type and of the pair, which has the members x and y.

#define PAIR_OPERATOR(symbol, name)                                                         \
    inline PAIR operator symbol(PAIR a, PAIR b) { return {a.x symbol b.x, a.y symbol b.y}; } \
    inline PAIR& operator symbol##=(PAIR & a, PAIR b) { return a = a symbol b; }            \
    inline PAIR name(PAIR a, PAIR b) { return a symbol b; }

PAIR_OPERATOR(+, __hadd2)
PAIR_OPERATOR(-, __hsub2)
PAIR_OPERATOR(*, __hmul2)
PAIR_OPERATOR(/, __h2div)

#undef PAIR_OPERATOR

// 1 or 0 for each; `__hb…` says whether it holds for both.
#define PAIR_COMPARISON(symbol, name)                                                         \
    inline PAIR __h##name##2(PAIR a, PAIR b) {                                                \
        return {NARROW(a.x symbol b.x ? 1.0f : 0.0f), NARROW(a.y symbol b.y ? 1.0f : 0.0f)};  \
    }                                                                                         \
    inline bool __hb##name##2(PAIR a, PAIR b) { return a.x symbol b.x && a.y symbol b.y; }    \
    inline bool operator symbol(PAIR a, PAIR b) { return __hb##name##2(a, b); }

PAIR_COMPARISON(==, eq)
PAIR_COMPARISON(!=, ne)
PAIR_COMPARISON(<, lt)
PAIR_COMPARISON(<=, le)
PAIR_COMPARISON(>, gt)
PAIR_COMPARISON(>=, ge)

#undef PAIR_COMPARISON

inline PAIR operator+(PAIR a) { return a; }
inline PAIR operator-(PAIR a) { return {-a.x, -a.y}; }
inline PAIR __hneg2(PAIR a) { return -a; }
inline PAIR __habs2(PAIR a) { return {__habs(a.x), __habs(a.y)}; }
inline PAIR __hmin2(PAIR a, PAIR b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
inline PAIR __hmax2(PAIR a, PAIR b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
inline PAIR __hfma2(PAIR a, PAIR b, PAIR c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline PAIR __hisnan2(PAIR a) {
    return {NARROW(__hisnan(a.x) ? 1.0f : 0.0f), NARROW(__hisnan(a.y) ? 1.0f : 0.0f)};
}

#define PAIR_FUNCTION(name, function) \
    inline PAIR name(PAIR a) { return {function(a.x), function(a.y)}; }

PAIR_FUNCTION(h2sqrt, hsqrt)
PAIR_FUNCTION(h2rsqrt, hrsqrt)
PAIR_FUNCTION(h2rcp, hrcp)
PAIR_FUNCTION(h2exp, hexp)
PAIR_FUNCTION(h2exp2, hexp2)
PAIR_FUNCTION(h2log, hlog)
PAIR_FUNCTION(h2log2, hlog2)
PAIR_FUNCTION(h2log10, hlog10)
PAIR_FUNCTION(h2sin, hsin)
PAIR_FUNCTION(h2cos, hcos)
PAIR_FUNCTION(h2floor, hfloor)
PAIR_FUNCTION(h2ceil, hceil)
PAIR_FUNCTION(h2trunc, htrunc)
PAIR_FUNCTION(h2rint, hrint)

#undef PAIR_FUNCTION

inline float __low2float(PAIR a) { return a.x; }
inline float __high2float(PAIR a) { return a.y; }
inline PAIR __lowhigh2highlow(PAIR a) { return {a.y, a.x}; }

inline PAIR atomicAdd(PAIR* address, PAIR value) {
    return weft_cpu::update(address, [=](PAIR old) { return old + value; });
}

#undef NARROW
#undef PAIR
