// Warp: rand_init of a seed.
// Needs: pcg_next
#include <cstdint>

__device__ inline uint32_t random_state(int seed) { return pcg_next(seed); }
