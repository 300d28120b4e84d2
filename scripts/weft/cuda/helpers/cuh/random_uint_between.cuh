// Warp: randu of a range.
// Needs: random_uint
#include <cstdint>

// Uniform in [low, high).
__device__ inline uint32_t random_uint(uint32_t& state, uint32_t low, uint32_t high) {
    return random_uint(state) % (high - low) + low;
}
