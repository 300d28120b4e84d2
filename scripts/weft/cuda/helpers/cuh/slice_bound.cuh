// Warp: slice_adjust_indices for one bound that is given.

// Where a slice of `count` elements begins or ends: a negative bound counts from the end.
__device__ inline int slice_bound(int i, int count) {
    i = min(max(i, -count), count);
    return i < 0 ? i + count : i;
}
