// Indices, slices and searches of arrays.

// Helper wrap_index: a negative index of an array
// A negative index counts from the end.
__device__ inline int wrap_index(int i, int count) { return i < 0 ? i + count : i; }

// Helper look_up: Warp's index() of an indexedarray_t in native/array.h
// The index that a list has in place of i; without a list, i itself.
__device__ inline int look_up(const int* __restrict__ indices, int i) { return indices ? indices[i] : i; }

// Helper place_in_buckets: Warp's fabricarray_find_bucket in native/fabric.h
// Where element i of an array in buckets lies: bucket k has elements starts[k] to starts[k + 1] - 1, from
// places[k] on.
__device__ inline int place_in_buckets(const int* __restrict__ starts, const int* __restrict__ places,
                                       int bucket_count, int i) {
    int low = 0, high = bucket_count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (i < starts[middle + 1])
            high = middle;
        else
            low = middle + 1;
    }
    return places[low] + i - starts[low];
}

// Helper slice_bound: Warp's slice_adjust_indices for one bound that is given
// Where a slice of `count` elements begins or ends: a negative bound counts from the end.
__device__ inline int slice_bound(int i, int count) {
    i = min(max(i, -count), count);
    return i < 0 ? i + count : i;
}

// Helper slice_length: Warp's slice_get_length
// The number of elements of a slice.
__device__ inline int slice_length(int start, int stop, int step) {
    if (step > 0) return start < stop ? 1 + (stop - start - 1) / step : 0;
    return start > stop ? 1 + (start - stop - 1) / -step : 0;
}

// Helper last_in_range: reversed(range(first, end, step))
// The last of first, first + step, … before end; first - step if there is none.
__device__ inline int last_in_range(int first, int end, int step) {
    const int direction = step > 0 ? 1 : -1;
    if (step == 0 || direction * first >= direction * end) return first - step;
    return first + (end - first - direction) / step * step;
}

// Helper lower_bound: Warp's lower_bound
// Where x belongs in rising values: the first place from begin on that is not below x, or the last.
__device__ inline int lower_bound(const T* __restrict__ values, int begin, int end, T x) {
    int low = begin, high = end - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (values[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
