// Warp: randi of a range.
// Needs: random_uint
#include <cstdint>

// Uniform in [low, high).
__device__ inline int random_int(uint32_t& state, int low, int high) {
    return static_cast<int>(random_uint(state) % (high - low) + low);
}
