// Part of Warp's noise.

// From 0 to 1 with two derivatives that vanish at both ends.
__device__ inline float smootherstep(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
