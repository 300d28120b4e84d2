// Warp: index() of an indexedarray_t in native/array.h.

// The index that a list has in place of i; without a list, i itself.
__device__ inline int look_up(const int* __restrict__ indices, int i) { return indices ? indices[i] : i; }
