// Warp: randu.
// Needs: pcg_next
#include <cstdint>

// Uniform over 32 bits.
__device__ inline uint32_t random_uint(uint32_t& state) { return state = pcg_next(state); }
