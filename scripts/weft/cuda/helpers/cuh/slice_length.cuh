// Warp: slice_get_length.

// The number of elements of a slice.
__device__ inline int slice_length(int start, int stop, int step) {
    if (step > 0) return start < stop ? 1 + (stop - start - 1) / step : 0;
    return start > stop ? 1 + (start - stop - 1) / -step : 0;
}
