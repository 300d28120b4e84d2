"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def integer_hash(
    keys: wp.array3d(dtype=wp.int32),
    buckets: wp.array3d(dtype=wp.int32),
    batch: int,
    rows: int,
    cols: int,
):
    """Bucket of each key in a hash table of 101."""
    b, i, j = wp.tid()
    if b >= batch or i >= rows or j >= cols:
        return
    key = keys[b, i, j]
    h = wp.uint32(key)
    h = h ^ (h >> wp.uint32(17))
    h = h * wp.uint32(73244475)
    h = h ^ (h >> wp.uint32(17))
    h = h * wp.uint32(73244475)
    buckets[b, i, j] = int(h % wp.uint32(101))


LAUNCH = {
    "integer_hash": {
        "sizes": {"batch": "(n + 23) // 24", "rows": "6", "cols": "4"},
        "dims": ["batch + 2", "rows + 3", "cols + 2"],
        "parameters": {
            "keys": {"role": "in", "shape": ["batch", "rows", "cols"], "values": {"integers": [0, 1000001]}},
            "buckets": {"role": "out", "shape": ["batch", "rows", "cols"]},
            "batch": {"values": {"size": "batch"}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
        },
    },
}
