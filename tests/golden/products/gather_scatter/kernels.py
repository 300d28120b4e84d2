"""Kernels of the category gather_scatter, seed 0.

Indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides.
"""

import warp as wp


@wp.kernel
def scatter_totals(
    bucket_of: wp.array2d(dtype=wp.int32),
    amounts: wp.array2d(dtype=wp.float32),
    weights: wp.array2d(dtype=wp.float32),
    bucket_totals: wp.array(dtype=wp.float32),
    weighted_amounts: wp.array2d(dtype=wp.float32),
):
    """Each element adds its amount to its bucket. The amount times a weight is stored as well."""
    row, col = wp.tid()
    place = bucket_of[row, col]
    amount = amounts[row, col]
    bucket_totals[place] += amount
    weight = weights[row, col]
    weighted_amounts[row, col] = weight * float(amount)


LAUNCH = {
    "scatter_totals": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12", "buckets": "n"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "bucket_of": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, "buckets"]}},
            "amounts": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [-4, 10]}},
            "weights": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.5, 2.0]}},
            "bucket_totals": {"role": "inout", "shape": ["buckets"], "values": {"constant": 0}},
            "weighted_amounts": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
