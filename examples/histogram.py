"""Histograms by atomic updates."""

import warp as wp

BINS = 64


@wp.func
def bin_of(value: float, low: float, high: float) -> int:
    """The bin that a value falls into; values beyond the ends count in the outermost bins."""
    position = (value - low) / (high - low) * float(BINS)
    return wp.clamp(int(wp.floor(position)), 0, BINS - 1)


@wp.kernel
def count_values(
    values: wp.array(dtype=float),
    counts: wp.array(dtype=int),
    low: float,
    high: float,
):
    """Add to `counts` the number of values that fall into each bin."""
    i = wp.tid()
    wp.atomic_add(counts, bin_of(values[i], low, high), 1)


@wp.kernel
def bin_extremes(
    labels: wp.array(dtype=int),
    values: wp.array(dtype=int),
    smallest: wp.array(dtype=int),
    largest: wp.array(dtype=int),
):
    """Lower `smallest` and raise `largest` to the values of each label; labels out of range are skipped."""
    i = wp.tid()
    label = labels[i]
    if label < 0 or label >= smallest.shape[0]:
        return
    wp.atomic_min(smallest, label, values[i])
    wp.atomic_max(largest, label, values[i])


LAUNCH = {
    "count_values": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "counts": {"role": "inout", "shape": [64], "values": {"constant": 0}},
            "low": {"values": {"constant": -1.0}},
            "high": {"values": {"constant": 1.0}},
        },
    },
    "bin_extremes": {
        "sizes": {"num_labels": "16"},
        "dims": ["n"],
        "parameters": {
            "labels": {"shape": ["n"], "values": {"integers": [-1, "num_labels + 1"]}},
            "values": {"shape": ["n"], "values": {"integers": [-1000, 1000]}},
            "smallest": {"role": "inout", "shape": ["num_labels"], "values": {"constant": 2147483647}},
            "largest": {"role": "inout", "shape": ["num_labels"], "values": {"constant": -2147483648}},
        },
    },
}
