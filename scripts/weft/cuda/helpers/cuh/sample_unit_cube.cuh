// Warp: sample_unit_cube.
// Needs: random_float
#include <cstdint>

// Uniform in the unit cube about the origin.
__device__ inline float3 sample_unit_cube(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    const float z = random_float(state) - 0.5f;
    return make_float3(x, y, z);
}
