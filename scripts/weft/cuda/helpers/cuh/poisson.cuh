// Warp: poisson.
// Needs: poisson_by_products
// Needs: poisson_by_rejection
#include <cstdint>

// A number from a Poisson distribution.
__device__ inline uint32_t poisson(uint32_t& state, float mean) {
    if (mean >= 10.0f) return poisson_by_rejection(state, mean);
    return mean == 0.0f ? 0 : poisson_by_products(state, mean);
}
