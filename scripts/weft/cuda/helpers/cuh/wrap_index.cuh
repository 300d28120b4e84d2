// Warp: a negative index of an array.

// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }
