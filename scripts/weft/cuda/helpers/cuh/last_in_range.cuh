// Warp: reversed(range(first, end, step)).

// The last of first, first + step, … before end; first - step if there is none.
__device__ inline int last_in_range(int first, int end, int step) {
    const int direction = step > 0 ? 1 : -1;
    if (step == 0 || direction * first >= direction * end) return first - step;
    return first + (end - first - direction) / step * step;
}
