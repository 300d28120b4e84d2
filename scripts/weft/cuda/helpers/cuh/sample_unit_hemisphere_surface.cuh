// Warp: sample_unit_hemisphere_surface.
// Needs: random_float
// Needs: random_float_between
// Needs: acos_clamped float32
#include <cstdint>

// Uniform on the unit hemisphere (z > 0).
__device__ inline float3 sample_unit_hemisphere_surface(uint32_t& state) {
    const float polar = acos_clamped(1.0f - random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    return make_float3(cosf(angle) * sinf(polar), sinf(angle) * sinf(polar), cosf(polar));
}
