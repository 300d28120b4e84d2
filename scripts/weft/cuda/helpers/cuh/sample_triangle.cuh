// Warp: sample_triangle.
// Needs: random_float
#include <cstdint>

// Barycentric coordinates, uniform over a triangle.
__device__ inline float2 sample_triangle(uint32_t& state) {
    const float r = sqrtf(random_float(state));
    return make_float2(1.0f - r, random_float(state) * r);
}
