// Arithmetic and conversions with a rounding that the name tells: `_rd` down, `_ru` up, `_rz` towards zero (CUDA Math
// API, "Single Precision Intrinsics" and following).
#pragma once

namespace weft_cpu {

enum class Rounding { kDown, kUp, kToZero };
enum class Operation { kAdd, kSubtract, kMultiply, kDivide, kSquareRoot, kMultiplyAdd };

// Defined in device/rounded.cpp.
float rounded(Operation operation, Rounding rounding, float a, float b = 0.0f, float c = 0.0f);
double rounded(Operation operation, Rounding rounding, double a, double b = 0.0, double c = 0.0);
float rounded_float(Rounding rounding, double x);
float rounded_float(Rounding rounding, long long x);
float rounded_float(Rounding rounding, unsigned long long x);
double rounded_double(Rounding rounding, long long x);
double rounded_double(Rounding rounding, unsigned long long x);

}  // namespace weft_cpu

#define WEFT_CPU_ROUNDED(scalar, prefix, fused, suffix, direction)                                             \
    inline scalar prefix##add_##suffix(scalar a, scalar b) {                                                   \
        return weft_cpu::rounded(weft_cpu::Operation::kAdd, weft_cpu::Rounding::direction, a, b);              \
    }                                                                                                          \
    inline scalar prefix##sub_##suffix(scalar a, scalar b) {                                                   \
        return weft_cpu::rounded(weft_cpu::Operation::kSubtract, weft_cpu::Rounding::direction, a, b);         \
    }                                                                                                          \
    inline scalar prefix##mul_##suffix(scalar a, scalar b) {                                                   \
        return weft_cpu::rounded(weft_cpu::Operation::kMultiply, weft_cpu::Rounding::direction, a, b);         \
    }                                                                                                          \
    inline scalar prefix##div_##suffix(scalar a, scalar b) {                                                   \
        return weft_cpu::rounded(weft_cpu::Operation::kDivide, weft_cpu::Rounding::direction, a, b);           \
    }                                                                                                          \
    inline scalar prefix##rcp_##suffix(scalar a) { return prefix##div_##suffix(1, a); }                        \
    inline scalar prefix##sqrt_##suffix(scalar a) {                                                            \
        return weft_cpu::rounded(weft_cpu::Operation::kSquareRoot, weft_cpu::Rounding::direction, a);          \
    }                                                                                                          \
    inline scalar fused##_##suffix(scalar a, scalar b, scalar c) {                                             \
        return weft_cpu::rounded(weft_cpu::Operation::kMultiplyAdd, weft_cpu::Rounding::direction, a, b, c);   \
    }
#define WEFT_CPU_ROUNDED_CONVERSION(from, wide, name, to, suffix, direction)                       \
    inline to __##name##_##suffix(from x) {                                                        \
        return weft_cpu::rounded_##to(weft_cpu::Rounding::direction, static_cast<wide>(x));        \
    }
#define WEFT_CPU_ROUNDED_ALL(suffix, direction)                                                                \
    WEFT_CPU_ROUNDED(float, __f, __fmaf, suffix, direction)                                                    \
    WEFT_CPU_ROUNDED(double, __d, __fma, suffix, direction)                                                    \
    WEFT_CPU_ROUNDED_CONVERSION(double, double, double2float, float, suffix, direction)                        \
    WEFT_CPU_ROUNDED_CONVERSION(int, long long, int2float, float, suffix, direction)                           \
    WEFT_CPU_ROUNDED_CONVERSION(unsigned int, long long, uint2float, float, suffix, direction)                 \
    WEFT_CPU_ROUNDED_CONVERSION(long long, long long, ll2float, float, suffix, direction)                      \
    WEFT_CPU_ROUNDED_CONVERSION(unsigned long long, unsigned long long, ull2float, float, suffix, direction)   \
    WEFT_CPU_ROUNDED_CONVERSION(long long, long long, ll2double, double, suffix, direction)                    \
    WEFT_CPU_ROUNDED_CONVERSION(unsigned long long, unsigned long long, ull2double, double, suffix, direction)

WEFT_CPU_ROUNDED_ALL(rd, kDown)
WEFT_CPU_ROUNDED_ALL(ru, kUp)
WEFT_CPU_ROUNDED_ALL(rz, kToZero)

#undef WEFT_CPU_ROUNDED_ALL
#undef WEFT_CPU_ROUNDED_CONVERSION
#undef WEFT_CPU_ROUNDED
