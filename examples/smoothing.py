"""A line of values is smoothed, then searched: eight launches of three kernels in one program."""

import warp as wp


@wp.func
def clamped(values: wp.array(dtype=float), i: int):
    """The i-th value, or the nearest one at the ends."""
    return values[wp.clamp(i, 0, values.shape[0] - 1)]


@wp.kernel
def smooth(before: wp.array(dtype=float), after: wp.array(dtype=float)):
    """Average each value (1/2) with its two neighbors (1/4 each); the ends are repeated."""
    i = wp.tid()
    after[i] = 0.25 * clamped(before, i - 1) + 0.5 * before[i] + 0.25 * clamped(before, i + 1)


@wp.kernel
def count_above(values: wp.array(dtype=float), threshold: float, total: wp.array(dtype=int)):
    """Add the number of values above a threshold to `total`."""
    i = wp.tid()
    if values[i] > threshold:
        wp.atomic_add(total, 0, 1)


@wp.kernel
def largest_of_pair(values: wp.array(dtype=float), largest: wp.array(dtype=float)):
    """Find the larger value of each pair."""
    i = wp.tid()
    largest[i] = wp.max(values[2 * i], values[2 * i + 1])


LAUNCH = {
    "smooth": {
        "dims": ["n"],
        "parameters": {
            "before": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "after": {"role": "out", "shape": ["n"]},
        },
    },
    "smooth_and_search": {
        "sizes": {"points": "2 * n"},
        "steps": [
            {
                "repeat": 3,
                "steps": [
                    {"kernel": "smooth", "dims": ["points"], "arguments": {"before": "u", "after": "v"}},
                    {"kernel": "smooth", "dims": ["points"], "arguments": {"before": "v", "after": "u"}},
                ],
            },
            {"zero": "total"},
            {
                "parallel": [
                    [{"kernel": "count_above", "dims": ["points"], "arguments": {"values": "u"}}],
                    [{"kernel": "largest_of_pair", "dims": ["n"], "arguments": {"values": "u"}}],
                ]
            },
        ],
        "parameters": {
            "u": {"role": "inout", "shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "out", "shape": ["points"]},
            "threshold": {"values": {"uniform": [0.0, 0.1]}},
            "total": {"role": "out", "shape": [1]},
            "largest": {"role": "out", "shape": ["n"]},
        },
    },
}
