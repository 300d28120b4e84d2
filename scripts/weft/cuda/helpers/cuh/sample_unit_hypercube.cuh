// Warp: sample_unit_hypercube.
// Needs: random_float
#include <cstdint>

// Uniform in the unit hypercube about the origin.
__device__ inline float4 sample_unit_hypercube(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    const float z = random_float(state) - 0.5f;
    const float w = random_float(state) - 0.5f;
    return make_float4(x, y, z, w);
}
