"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def escape_time(
    re_values: wp.array(dtype=wp.float32),
    im_values: wp.array(dtype=wp.float32),
    units: wp.array(dtype=wp.float32),
    escapes: wp.array(dtype=wp.float32),
):
    """Escape time of a quadratic map, at most 32. The escape is taken as a float, multiplied by
    units[i]."""
    i = wp.tid()
    re = re_values[i]
    zr = float(0.0)
    zi = float(0.0)
    iterations = int(0)
    while iterations < 32 and zr * zr + zi * zi < 4.0:
        next_zr = zr * zr - zi * zi + re
        zi = -2.0 * zr * zi + im_values[i]
        zr = next_zr
        iterations += 1
    escape = float(iterations) * units[i]
    escapes[i] = escape


LAUNCH = {
    "escape_time": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "re_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 0.6]}},
            "im_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "units": {"role": "in", "shape": ["n"], "values": {"uniform": [0.01, 0.5]}},
            "escapes": {"role": "out", "shape": ["n"]},
        },
    },
}
