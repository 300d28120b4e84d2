"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


@wp.kernel
def group_extremes(
    enabled: wp.array(dtype=wp.int32),
    group_ids: wp.array(dtype=wp.int32),
    amounts: wp.array(dtype=wp.int32),
    part_values: wp.array2d(dtype=wp.int32),
    spots: wp.array(dtype=wp.float32),
    recorded: wp.array(dtype=wp.int32),
    maxima: wp.array(dtype=wp.int32),
):
    """Maximum of the values plus 4 parts each in each group of the elements whose spot is between
    0.33 and 0.69. Elements that are not enabled are skipped. Each thread's amount is stored as
    well."""
    i = wp.tid()
    if enabled[i] == 0:
        return
    sum_of_parts = amounts[i]
    for part in range(4):
        sum_of_parts += part_values[i, part]
    recorded[i] = sum_of_parts
    if spots[i] >= 0.33 and spots[i] < 0.69:
        wp.atomic_max(maxima, group_ids[i], sum_of_parts)


LAUNCH = {
    "group_extremes": {
        "sizes": {"groups": "(n + 2) // 3", "parts": "4"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "group_ids": {"role": "in", "shape": ["n"], "values": {"integers": [0, "groups"]}},
            "amounts": {"role": "in", "shape": ["n"], "values": {"integers": [-6, 7]}},
            "part_values": {"role": "in", "shape": ["n", "parts"], "values": {"integers": [0, 4]}},
            "spots": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "recorded": {"role": "out", "shape": ["n"]},
            "maxima": {"role": "inout", "shape": ["groups"], "values": {"constant": -1000}},
        },
    },
}
