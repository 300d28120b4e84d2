// Norms of vectors other than the Euclidean one, all in float as in Warp.

// Helper norm_huber: Warp's norm_huber
// Needs: dot(T, T)
// Huber's norm: quadratic up to delta, linear beyond.
__device__ inline float norm_huber(const T& a, float delta) {
    const float square = dot(a, a);
    return square <= delta * delta ? 0.5f * square : delta * (sqrtf(square) - 0.5f * delta);
}

// Helper norm_pseudo_huber: Warp's norm_pseudo_huber
// Needs: dot(T, T)
// A smooth relative of Huber's norm; delta at a = 0.
__device__ inline float norm_pseudo_huber(const T& a, float delta) {
    return delta * sqrtf(1.0f + dot(a, a) / (delta * delta));
}

// Helper smooth_normalize: Warp's smooth_normalize
// Needs: norm_pseudo_huber(T, float), operator/(T, float)
// The direction of a, which fades out smoothly where a is short beside delta.
__device__ inline T smooth_normalize(const T& a, float delta) { return a / norm_pseudo_huber(a, delta); }
