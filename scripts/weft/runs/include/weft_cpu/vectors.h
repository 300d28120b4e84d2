// CUDA's vector types, with their alignments (CUDA C++ Programming Guide, table "Alignment Requirements").
#pragma once

#define WEFT_CPU_VECTORS(scalar, name, align1, align2, align3, align4)                \
    struct alignas(align1) name##1 { scalar x; };                                     \
    struct alignas(align2) name##2 { scalar x, y; };                                  \
    struct alignas(align3) name##3 { scalar x, y, z; };                               \
    struct alignas(align4) name##4 { scalar x, y, z, w; };                            \
    inline name##1 make_##name##1(scalar x) { return {x}; }                           \
    inline name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }              \
    inline name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; } \
    inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return {x, y, z, w}; }

WEFT_CPU_VECTORS(signed char, char, 1, 2, 1, 4)
WEFT_CPU_VECTORS(unsigned char, uchar, 1, 2, 1, 4)
WEFT_CPU_VECTORS(short, short, 2, 4, 2, 8)
WEFT_CPU_VECTORS(unsigned short, ushort, 2, 4, 2, 8)
WEFT_CPU_VECTORS(int, int, 4, 8, 4, 16)
WEFT_CPU_VECTORS(unsigned int, uint, 4, 8, 4, 16)
WEFT_CPU_VECTORS(long, long, 8, 16, 8, 16)
WEFT_CPU_VECTORS(unsigned long, ulong, 8, 16, 8, 16)
WEFT_CPU_VECTORS(long long, longlong, 8, 16, 8, 16)
WEFT_CPU_VECTORS(unsigned long long, ulonglong, 8, 16, 8, 16)
WEFT_CPU_VECTORS(float, float, 4, 8, 4, 16)
WEFT_CPU_VECTORS(double, double, 8, 16, 8, 16)

#undef WEFT_CPU_VECTORS

namespace weft_cpu {

template <typename T>
inline T converted(T value) {
    return value;
}

// A vector whose parts are evaluated from the left, as nvcc evaluates arguments: g++ does so in braces only.
template <typename Vector>
struct Ordered {
    Vector vector;

    template <typename... Parts>
    Ordered(Parts... parts) : vector{converted<decltype(Vector::x)>(parts)...} {}
};

}  // namespace weft_cpu

struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
