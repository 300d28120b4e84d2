"""Kernels of the category constant_table, seed 0.

Constant memory: calendars, genes, contour cases, bodies, balls, lattices, centers, codes.
"""

import warp as wp


@wp.kernel
def summed_day_of_year(
    months: wp.array(dtype=wp.int32),
    days: wp.array(dtype=wp.int32),
    years: wp.array(dtype=wp.int32),
    month_lengths: wp.array(dtype=wp.int32),
    days_of_year: wp.array(dtype=wp.int32),
):
    """Compute the day of the year of each date by adding up the months before. The leap day is
    found by the Gregorian rule."""
    idx = wp.tid()
    month = months[idx]
    day = days[idx]
    year = years[idx]
    leap_day = 1 if (year % 4 == 0 and year % 100 != 0) or year % 400 == 0 else 0
    total = day
    for m in range(1, month):
        total = total + month_lengths[m - 1]
    day_of_year = total + (leap_day if month > 2 else 0)
    days_of_year[idx] = day_of_year


LAUNCH = {
    "summed_day_of_year": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "months": {"role": "in", "shape": ["n"], "values": {"integers": [1, 13]}},
            "days": {"role": "in", "shape": ["n"], "values": {"integers": [1, 29]}},
            "years": {"role": "in", "shape": ["n"], "values": {"integers": [1900, 2101]}},
            "month_lengths": {"role": "in", "shape": ["12"], "memory": "constant", "values": {"list": [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]}},
            "days_of_year": {"role": "out", "shape": ["n"]},
        },
    },
}
