// A float of 16 bits, kept as bits and computed in float: all that __half and __nv_bfloat16 have in common.
//
// Included once for each of them, which first defines
//   NARROW, NARROW_RAW  the names of the type, and of the struct that holds its bits,
//   NARROW_BITS(x)      the bits of the number nearest to the float or double x,
//   NARROW_VALUE(bits)  the float that the bits stand for,
//   NARROW_INFINITY     the bits of infinity.

struct alignas(2) NARROW_RAW {
    unsigned short x;
};

struct alignas(2) NARROW {
    unsigned short __x;

    NARROW() = default;
    NARROW(NARROW_RAW raw) : __x(raw.x) {}
    NARROW(float x) : __x(NARROW_BITS(x)) {}
    NARROW(double x) : __x(NARROW_BITS(x)) {}
    NARROW(short x) : NARROW(static_cast<double>(x)) {}
    NARROW(unsigned short x) : NARROW(static_cast<double>(x)) {}
    NARROW(int x) : NARROW(static_cast<double>(x)) {}
    NARROW(unsigned int x) : NARROW(static_cast<double>(x)) {}
    NARROW(long x) : NARROW(static_cast<double>(x)) {}
    NARROW(unsigned long x) : NARROW(static_cast<double>(x)) {}
    NARROW(long long x) : NARROW(static_cast<double>(x)) {}
    NARROW(unsigned long long x) : NARROW(static_cast<double>(x)) {}

    operator NARROW_RAW() const { return {__x}; }
    operator float() const { return NARROW_VALUE(__x); }
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

    NARROW& operator=(float x) { return *this = NARROW(x); }
    NARROW& operator=(double x) { return *this = NARROW(x); }
};

#define NARROW_OPERATOR(symbol, name)                                                              \
    inline NARROW operator symbol(NARROW a, NARROW b) { return NARROW(float(a) symbol float(b)); } \
    inline NARROW& operator symbol##=(NARROW & a, NARROW b) { return a = a symbol b; }             \
    inline NARROW name(NARROW a, NARROW b) { return a symbol b; }                                  \
    inline NARROW name##_rn(NARROW a, NARROW b) { return a symbol b; }

NARROW_OPERATOR(+, __hadd)
NARROW_OPERATOR(-, __hsub)
NARROW_OPERATOR(*, __hmul)
NARROW_OPERATOR(/, __hdiv)

#undef NARROW_OPERATOR

#define NARROW_COMPARISON(symbol, name)                                                  \
    inline bool operator symbol(NARROW a, NARROW b) { return float(a) symbol float(b); } \
    inline bool name(NARROW a, NARROW b) { return a symbol b; }

NARROW_COMPARISON(==, __heq)
NARROW_COMPARISON(!=, __hne)
NARROW_COMPARISON(<, __hlt)
NARROW_COMPARISON(<=, __hle)
NARROW_COMPARISON(>, __hgt)
NARROW_COMPARISON(>=, __hge)

#undef NARROW_COMPARISON

inline NARROW operator+(NARROW a) { return a; }
inline NARROW operator-(NARROW a) {
    a.__x ^= 0x8000u;
    return a;
}
inline NARROW& operator++(NARROW& a) { return a += NARROW(1.0f); }
inline NARROW& operator--(NARROW& a) { return a -= NARROW(1.0f); }
inline NARROW __hneg(NARROW a) { return -a; }
inline NARROW __habs(NARROW a) {
    a.__x &= 0x7fffu;
    return a;
}
inline NARROW __hmin(NARROW a, NARROW b) { return NARROW(fminf(a, b)); }
inline NARROW __hmax(NARROW a, NARROW b) { return NARROW(fmaxf(a, b)); }
// The product is exact in double; the sum's last bit is made odd where it is inexact, so that the second
// rounding goes the way that a single one would (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums", 2008).
inline NARROW __hfma(NARROW a, NARROW b, NARROW c) {
    const double product = static_cast<double>(float(a)) * float(b), addend = float(c);
    double sum = product + addend;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (addend - back);
    const unsigned long long bits = weft_cpu::bit_cast<unsigned long long>(sum);
    if (error != 0.0 && (bits & 1) == 0) {
        sum = weft_cpu::bit_cast<double>((error > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
    }
    return NARROW(sum);
}

inline bool __hisnan(NARROW a) { return (a.__x & 0x7fffu) > NARROW_INFINITY; }
inline int __hisinf(NARROW a) {
    if ((a.__x & 0x7fffu) != NARROW_INFINITY) return 0;
    return a.__x == NARROW_INFINITY ? 1 : -1;
}

#define NARROW_FUNCTION(name, function) \
    inline NARROW name(NARROW a) { return NARROW(function(float(a))); }

NARROW_FUNCTION(hsqrt, sqrtf)
NARROW_FUNCTION(hrsqrt, rsqrtf)
NARROW_FUNCTION(hrcp, 1.0f /)
NARROW_FUNCTION(hexp, expf)
NARROW_FUNCTION(hexp2, exp2f)
NARROW_FUNCTION(hlog, logf)
NARROW_FUNCTION(hlog2, log2f)
NARROW_FUNCTION(hlog10, log10f)
NARROW_FUNCTION(hsin, sinf)
NARROW_FUNCTION(hcos, cosf)
NARROW_FUNCTION(htanh, tanhf)
NARROW_FUNCTION(hfloor, floorf)
NARROW_FUNCTION(hceil, ceilf)
NARROW_FUNCTION(htrunc, truncf)
NARROW_FUNCTION(hrint, rintf)

#undef NARROW_FUNCTION

inline NARROW atomicAdd(NARROW* address, NARROW value) {
    return weft_cpu::update(address, [=](NARROW old) { return old + value; });
}

#undef NARROW
#undef NARROW_RAW
#undef NARROW_BITS
#undef NARROW_VALUE
#undef NARROW_INFINITY
