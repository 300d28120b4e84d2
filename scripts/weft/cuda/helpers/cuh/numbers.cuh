// Numbers: what C and CUDA have no function for with Warp's meaning.

// Helper fraction: Warp's frac
// What follows the point, with the sign of x.
__device__ inline float fraction(float x) { return x - truncf(x); }

// Helper acos_clamped: Warp's acos
// acos of x clamped to [-1, 1]: no NaN where rounding leaves x just outside.
__device__ inline float acos_clamped(float x) { return acosf(fminf(fmaxf(x, -1.0f), 1.0f)); }

// Helper asin_clamped: Warp's asin
// asin of x clamped to [-1, 1]: no NaN where rounding leaves x just outside.
__device__ inline float asin_clamped(float x) { return asinf(fminf(fmaxf(x, -1.0f), 1.0f)); }

// Helper lerp: Warp's lerp of numbers, in its order of operations
// From a at t = 0 to b at t = 1.
__device__ inline float lerp(float a, float b, float t) { return a * (1.0f - t) + b * t; }

// Helper smoothstep: Warp's smoothstep
// Cubic ramp from 0 at low to 1 at high.
__device__ inline float smoothstep(float low, float high, float x) {
    const float t = fminf(fmaxf(0.0f, (x - low) / (high - low)), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Helper smootherstep: part of Warp's noise
// From 0 to 1 with two derivatives that vanish at both ends.
__device__ inline float smootherstep(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

// Helper log_gamma: part of poisson, rounded as in Warp
// log(gamma(x)) by Stirling's series (Zhang and Jin, Computation of Special Functions, 1996).
__device__ inline float log_gamma(float x) {
    const float series[] = {8.333333333333333e-2f,  -2.777777777777778e-3f, 7.936507936507937e-4f,
                            -5.952380952380952e-4f, 8.417508417508418e-4f,  -1.917526917526918e-3f,
                            6.410256410256410e-3f,  -2.955065359477124e-2f, 1.796443723688307e-1f,
                            -1.39243221690590f};
    if (x == 1.0f || x == 2.0f) return 0.0f;
    // The series converges from about 7 on; smaller x are moved up.
    const int steps = x < 7.0f ? int(7.0f - x) : 0;
    float y = x + float(steps);
    const float z = 1.0f / y * (1.0f / y);
    float sum = series[9];
    for (int i = 8; i >= 0; --i) sum = sum * z + series[i];
    float result = sum / y + 0.9189385332f + (y - 0.5f) * logf(y) - y;
    for (int i = 0; i < steps; ++i) {
        result -= logf(y - 1.0f);
        y -= 1.0f;
    }
    return result;
}
