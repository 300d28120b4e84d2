// Warp: sample_unit_disk.
// Needs: random_float
// Needs: random_float_between
#include <cstdint>

// Uniform in the unit disk.
__device__ inline float2 sample_unit_disk(uint32_t& state) {
    const float r = sqrtf(random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    return make_float2(r * cosf(angle), r * sinf(angle));
}
