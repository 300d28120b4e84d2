// Warp: sample_unit_ring.
// Needs: random_float_between
#include <cstdint>

// Uniform on the unit circle.
__device__ inline float2 sample_unit_ring(uint32_t& state) {
    const float angle = random_float(state, 0.0f, 6.28318531f);
    return make_float2(cosf(angle), sinf(angle));
}
