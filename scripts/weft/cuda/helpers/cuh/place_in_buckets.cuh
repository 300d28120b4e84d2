// Warp: fabricarray_find_bucket in native/fabric.h.

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
