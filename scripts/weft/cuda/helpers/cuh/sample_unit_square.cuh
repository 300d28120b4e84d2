// Warp: sample_unit_square.
// Needs: random_float
#include <cstdint>

// Uniform in the unit square about the origin.
__device__ inline float2 sample_unit_square(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    return make_float2(x, y);
}
