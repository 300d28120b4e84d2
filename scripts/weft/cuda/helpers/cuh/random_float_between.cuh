// Warp: randf of a range.
// Needs: random_float
#include <cstdint>

// Uniform in [low, high).
__device__ inline float random_float(uint32_t& state, float low, float high) {
    return (high - low) * random_float(state) + low;
}
