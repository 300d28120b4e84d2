// Random numbers: Warp's PCG generator.

// Helper random_state: Warp's rand_init of a seed
// Needs: pcg_next()
__device__ inline uint32_t random_state(int seed) { return pcg_next(seed); }

// Helper random_state_at: Warp's rand_init of a seed and an offset
// Needs: pcg_next()
// The state of generator number `sequence` under a seed.
__device__ inline uint32_t random_state(int seed, int sequence) {
    return pcg_next(seed + pcg_next(sequence));
}

// Helper pcg_next: part of Warp's random numbers
// One step of the PCG hash (Jarzynski and Olano, Hash Functions for GPU Rendering).
__device__ inline uint32_t pcg_next(uint32_t x) {
    const uint32_t state = x * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// Helper random_int: Warp's randi
// Needs: random_uint()
// Uniform over all integers.
__device__ inline int random_int(uint32_t& state) { return static_cast<int>(random_uint(state)); }

// Helper random_int_between: Warp's randi of a range
// Needs: random_uint()
// Uniform in [low, high).
__device__ inline int random_int(uint32_t& state, int low, int high) {
    return static_cast<int>(random_uint(state) % (high - low) + low);
}

// Helper random_uint: Warp's randu
// Needs: pcg_next()
// Uniform over 32 bits.
__device__ inline uint32_t random_uint(uint32_t& state) { return state = pcg_next(state); }

// Helper random_uint_between: Warp's randu of a range
// Needs: random_uint()
// Uniform in [low, high).
__device__ inline uint32_t random_uint(uint32_t& state, uint32_t low, uint32_t high) {
    return random_uint(state) % (high - low) + low;
}

// Helper random_float: Warp's randf
// Needs: pcg_next()
// Uniform in [0, 1), a multiple of 2^-24.
__device__ inline float random_float(uint32_t& state) {
    state = pcg_next(state);
    return (state >> 8) * (1.0f / 16777216.0f);
}

// Helper random_float_between: Warp's randf of a range
// Needs: random_float()
// Uniform in [low, high).
__device__ inline float random_float(uint32_t& state, float low, float high) {
    return (high - low) * random_float(state) + low;
}

// Helper random_normal: Warp's randn
// Needs: random_float()
// Standard normal, by the method of Box and Muller; the small term keeps the logarithm finite.
__device__ inline float random_normal(uint32_t& state) {
    const float radius = sqrtf(-2.0f * logf(random_float(state) + 5.96e-8f));
    return radius * cosf(6.28318531f * random_float(state));
}

// Helper poisson_by_products: part of poisson, for small means
// Needs: random_float()
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

// Helper poisson_by_rejection: part of poisson, for large means
// Needs: random_float(), log_gamma()
// Transformed rejection (Hoermann, Insurance: Mathematics and Economics 12, 1993).
__device__ inline uint32_t poisson_by_rejection(uint32_t& state, float mean) {
    const float log_mean = logf(mean);
    const float b = 0.931f + 2.53f * sqrtf(mean);
    const float a = -0.059f + 0.02483f * b;
    const float inverse_alpha = 1.1239f + 1.1328f / (b - 3.4f);
    const float inside = 0.9277f - 3.6224f / (b - 2.0f);
    while (true) {
        const float u = random_float(state) - 0.5f;
        const float v = random_float(state);
        const float edge = 0.5f - fabsf(u);
        const float k = floorf((2.0f * a / edge + b) * u + mean + 0.43f);
        if (edge >= 0.07f && v <= inside) return static_cast<uint32_t>(k);
        if (k < 0.0f || (edge < 0.013f && v > edge)) continue;
        const float accepted = logf(v) + logf(inverse_alpha) - logf(a / (edge * edge) + b);
        if (accepted <= -mean + k * log_mean - log_gamma(k + 1.0f)) return static_cast<uint32_t>(k);
    }
}

// Helper poisson: Warp's poisson
// Needs: poisson_by_products(), poisson_by_rejection()
// A number from a Poisson distribution.
__device__ inline uint32_t poisson(uint32_t& state, float mean) {
    if (mean >= 10.0f) return poisson_by_rejection(state, mean);
    return mean == 0.0f ? 0 : poisson_by_products(state, mean);
}
