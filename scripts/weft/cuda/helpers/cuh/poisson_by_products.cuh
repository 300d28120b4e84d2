// Part of poisson, for small means.
// Needs: random_float
#include <cstdint>

// Counts factors until their product is small (Knuth, The Art of Computer Programming, 3.4.1).
__device__ inline uint32_t poisson_by_products(uint32_t& state, float mean) {
    const float limit = expf(-mean);
    float product = random_float(state);
    uint32_t count = 0;
    while (product > limit) {
        product *= random_float(state);
        ++count;
    }
    return count;
}
