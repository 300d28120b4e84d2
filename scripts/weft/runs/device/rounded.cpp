// Arithmetic in other roundings than to nearest: the processor's own, with operands that no compiler moves or folds.
#include <fenv.h>
#include <math.h>

#include "device.h"
#include "weft_cpu/rounded.h"

namespace weft_cpu {
namespace {

class InRounding {
public:
    explicit InRounding(Rounding rounding) {
        fesetround(rounding == Rounding::kDown ? FE_DOWNWARD : rounding == Rounding::kUp ? FE_UPWARD : FE_TOWARDZERO);
    }
    ~InRounding() { fesetround(rounding()); }
    InRounding(const InRounding&) = delete;
};

template <typename T>
T compute(Operation operation, Rounding rounding, volatile T a, volatile T b, volatile T c) {
    const InRounding in(rounding);
    volatile T result = 0;
    switch (operation) {
        case Operation::kAdd:
            result = a + b;
            break;
        case Operation::kSubtract:
            result = a - b;
            break;
        case Operation::kMultiply:
            result = a * b;
            break;
        case Operation::kDivide:
            result = a / b;
            break;
        case Operation::kSquareRoot:
            result = sizeof(T) == sizeof(float) ? sqrtf(a) : sqrt(a);
            break;
        case Operation::kMultiplyAdd:
            result = sizeof(T) == sizeof(float) ? fmaf(a, b, c) : fma(a, b, c);
            break;
    }
    return result;
}

template <typename To, typename From>
To convert(Rounding rounding, volatile From x) {
    const InRounding in(rounding);
    volatile To result = static_cast<To>(x);
    return result;
}

int read_rounding() {
    const char* setting = getenv("WEFT_ROUNDING");
    if (!setting || !strcmp(setting, "nearest")) return FE_TONEAREST;
    if (!strcmp(setting, "up")) return FE_UPWARD;
    if (!strcmp(setting, "down")) return FE_DOWNWARD;
    stop(kCudaError, "WEFT_ROUNDING is '%s' (allowed: nearest, up, down)", setting);
}

}  // namespace

int rounding() {
    static const int direction = read_rounding();
    return direction;
}

float rounded(Operation operation, Rounding rounding, float a, float b, float c) {
    return compute<float>(operation, rounding, a, b, c);
}
double rounded(Operation operation, Rounding rounding, double a, double b, double c) {
    return compute<double>(operation, rounding, a, b, c);
}
float rounded_float(Rounding rounding, double x) { return convert<float, double>(rounding, x); }
float rounded_float(Rounding rounding, long long x) { return convert<float, long long>(rounding, x); }
float rounded_float(Rounding rounding, unsigned long long x) {
    return convert<float, unsigned long long>(rounding, x);
}
double rounded_double(Rounding rounding, long long x) { return convert<double, long long>(rounding, x); }
double rounded_double(Rounding rounding, unsigned long long x) {
    return convert<double, unsigned long long>(rounding, x);
}

}  // namespace weft_cpu
