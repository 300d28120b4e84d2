"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def moving_average(
    series: wp.array(dtype=wp.float64),
    expectations: wp.array(dtype=wp.float64),
    length: int,
    average_residuals: wp.array(dtype=wp.float64),
):
    """Average over a window of radius 3, weighted by distance. The expectation is subtracted from
    the average."""
    i = wp.tid()
    total = wp.float64(0.0)
    weight = wp.float64(0.0)
    for offset in range(-3, 4):
        j = wp.max(wp.min(i + offset, length - 1), 0)
        reach = wp.float64(float(offset))
        w = wp.exp(wp.float64(-0.45) * (reach * reach))
        total += w * series[j]
        weight += w
    expectation = expectations[i]
    average = total / weight
    average_residuals[i] = average - expectation


LAUNCH = {
    "moving_average": {
        "dims": ["n"],
        "parameters": {
            "series": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "expectations": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "length": {"values": {"size": "n"}},
            "average_residuals": {"role": "out", "shape": ["n"]},
        },
    },
}
