// Warp: rand_init of a seed and an offset.
// Needs: pcg_next
#include <cstdint>

// The state of generator number `sequence` under a seed.
__device__ inline uint32_t random_state(int seed, int sequence) {
    return pcg_next(seed + pcg_next(sequence));
}
