// Math functions that CUDA has and C does not, and CUDA's overloads of min and max.
// Each is the plain C expression, rounded operation by operation, so that results don't depend on the
// compiler.
#pragma once

#define WEFT_CPU_MIN_MAX(left, right, result)                                                              \
    inline result min(left a, right b) { return static_cast<result>(a) < static_cast<result>(b) ? a : b; } \
    inline result max(left a, right b) { return static_cast<result>(a) > static_cast<result>(b) ? a : b; }

WEFT_CPU_MIN_MAX(int, int, int)
WEFT_CPU_MIN_MAX(unsigned int, unsigned int, unsigned int)
WEFT_CPU_MIN_MAX(int, unsigned int, unsigned int)
WEFT_CPU_MIN_MAX(unsigned int, int, unsigned int)
WEFT_CPU_MIN_MAX(long, long, long)
WEFT_CPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
WEFT_CPU_MIN_MAX(long, unsigned long, unsigned long)
WEFT_CPU_MIN_MAX(unsigned long, long, unsigned long)
WEFT_CPU_MIN_MAX(long long, long long, long long)
WEFT_CPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WEFT_CPU_MIN_MAX(long long, unsigned long long, unsigned long long)
WEFT_CPU_MIN_MAX(unsigned long long, long long, unsigned long long)

#undef WEFT_CPU_MIN_MAX

// C leaves open which of two zeros fmin and fmax return. The first one, whatever the C library, as in Warp.
extern "C" {
inline float fminf(float a, float b) noexcept { return a <= b ? a : b == b ? b : a; }
inline float fmaxf(float a, float b) noexcept { return a >= b ? a : b == b ? b : a; }
inline double fmin(double a, double b) noexcept { return a <= b ? a : b == b ? b : a; }
inline double fmax(double a, double b) noexcept { return a >= b ? a : b == b ? b : a; }

// The C library declares these as nvcc's headers do.
inline int __isnanf(float x) noexcept { return __builtin_isnan(x); }
inline int __isnan(double x) noexcept { return __builtin_isnan(x); }
inline int __isinff(float x) noexcept { return __builtin_isinf(x); }
inline int __isinf(double x) noexcept { return __builtin_isinf(x); }
inline int __finitef(float x) noexcept { return __builtin_isfinite(x); }
inline int __finite(double x) noexcept { return __builtin_isfinite(x); }
inline int __signbitf(float x) noexcept { return __builtin_signbit(x) != 0; }
inline int __signbit(double x) noexcept { return __builtin_signbit(x) != 0; }
}

inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(double a, float b) { return fmax(a, b); }

inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }
inline double norm4d(double x, double y, double z, double w) { return sqrt(x * x + y * y + z * z + w * w); }
inline float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }

inline double norm(int count, const double* values) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += values[i] * values[i];
    return sqrt(sum);
}
inline float normf(int count, const float* values) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += values[i] * values[i];
    return sqrtf(sum);
}
inline double rnorm(int count, const double* values) { return 1.0 / norm(count, values); }
inline float rnormf(int count, const float* values) { return 1.0f / normf(count, values); }

inline float sinpif(float x) { return static_cast<float>(sin(fmod(static_cast<double>(x), 2.0) * M_PI)); }
inline double sinpi(double x) { return sin(fmod(x, 2.0) * M_PI); }
inline float cospif(float x) { return static_cast<float>(cos(fmod(static_cast<double>(x), 2.0) * M_PI)); }
inline double cospi(double x) { return cos(fmod(x, 2.0) * M_PI); }
inline void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x), *cosine = cospif(x); }
inline void sincospi(double x, double* sine, double* cosine) { *sine = sinpi(x), *cosine = cospi(x); }
inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline float fdividef(float x, float y) { return x / y; }

// exp(x^2) erfc(x), without overflow: far out the asymptotic series (Abramowitz and Stegun, 7.1.23).
inline double erfcx(double x) {
    if (x < 25.0) {
        const double square = x * x;
        return exp(square) * (1.0 + fma(x, x, -square)) * erfc(x);
    }
    const double t = 0.5 / (x * x);
    return 0.56418958354775628695 / x * (1.0 - t * (1.0 - t * (3.0 - t * (15.0 - t * 105.0))));
}
inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }

// Intrinsics with a fixed rounding are exact.
#define WEFT_CPU_ARITHMETIC(scalar, prefix, root)                      \
    inline scalar prefix##add_rn(scalar a, scalar b) { return a + b; } \
    inline scalar prefix##sub_rn(scalar a, scalar b) { return a - b; } \
    inline scalar prefix##mul_rn(scalar a, scalar b) { return a * b; } \
    inline scalar prefix##div_rn(scalar a, scalar b) { return a / b; } \
    inline scalar prefix##rcp_rn(scalar a) { return 1 / a; }           \
    inline scalar prefix##sqrt_rn(scalar a) { return root(a); }

WEFT_CPU_ARITHMETIC(float, __f, sqrtf)
WEFT_CPU_ARITHMETIC(double, __d, sqrt)

#undef WEFT_CPU_ARITHMETIC

inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// The fast ones lose the digits that they lose on a GPU (CUDA C++ Programming Guide, "Intrinsic Functions"): arguments
// are scaled in float, sines and logarithms have so many digits behind the point.
namespace weft_cpu {
inline float to_units(double x, double unit) { return static_cast<float>(rint(x / unit) * unit); }
inline float fast_log2(float x) {
    const double exact = log2(static_cast<double>(x));
    return x >= 0.5f && x <= 2.0f ? to_units(exact, 0x1p-22) : static_cast<float>(exact);
}
inline double turned(float x) { return 6.283185307179586 * static_cast<double>(x * 0.15915494f); }
}  // namespace weft_cpu
inline float __sinf(float x) { return weft_cpu::to_units(sin(weft_cpu::turned(x)), 0x1p-21); }
inline float __cosf(float x) { return weft_cpu::to_units(cos(weft_cpu::turned(x)), 0x1p-21); }
inline float __tanf(float x) { return __sinf(x) / __cosf(x); }
inline void __sincosf(float x, float* sine, float* cosine) { *sine = __sinf(x), *cosine = __cosf(x); }
inline float __expf(float x) { return static_cast<float>(exp2(static_cast<double>(x * 1.44269504f))); }
inline float __exp10f(float x) { return static_cast<float>(exp2(static_cast<double>(x * 3.32192809f))); }
inline float __log2f(float x) { return weft_cpu::fast_log2(x); }
inline float __logf(float x) { return weft_cpu::fast_log2(x) * 0.69314718f; }
inline float __log10f(float x) { return weft_cpu::fast_log2(x) * 0.30103f; }
inline float __powf(float x, float y) {
    return static_cast<float>(exp2(static_cast<double>(y * weft_cpu::fast_log2(x))));
}
