// Warp: sample_unit_sphere.
// Needs: random_float
// Needs: random_float_between
// Needs: acos_clamped float32
#include <cstdint>

// Uniform in the unit sphere.
__device__ inline float3 sample_unit_sphere(uint32_t& state) {
    const float polar = acos_clamped(1.0f - 2.0f * random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    const float r = powf(random_float(state), 1.0f / 3.0f);
    return make_float3(r * cosf(angle) * sinf(polar), r * sinf(angle) * sinf(polar), r * cosf(polar));
}
