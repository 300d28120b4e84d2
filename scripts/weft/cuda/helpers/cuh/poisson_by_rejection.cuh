// Part of poisson, for large means.
// Needs: random_float
// Needs: log_gamma
#include <cstdint>

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
