// Warp: randi.
// Needs: random_uint
#include <cstdint>

// Uniform over all integers.
__device__ inline int random_int(uint32_t& state) { return static_cast<int>(random_uint(state)); }
