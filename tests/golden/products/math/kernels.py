"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


GELU_CUBIC = wp.constant(0.044715)
SQRT_TWO_OVER_PI = wp.constant(0.7978845608028654)


@wp.kernel
def highway_connection(
    up_projections: wp.array2d(dtype=wp.float32),
    gates: wp.array2d(dtype=wp.float32),
    skips: wp.array2d(dtype=wp.float32),
    layer_outputs: wp.array2d(dtype=wp.float32),
):
    """Highway connection."""
    sample, unit = wp.tid()
    up_projection = up_projections[sample, unit]
    gate = gates[sample, unit]
    inner = SQRT_TWO_OVER_PI * (gate + GELU_CUBIC * gate * gate * gate)
    activation = up_projection * (0.5 * gate * (1.0 + wp.tanh(inner)))
    skip = skips[sample, unit]
    share = 1.0 / (1.0 + wp.exp(-gate))
    layer_outputs[sample, unit] = share * activation + (1.0 - share) * skip


LAUNCH = {
    "highway_connection": {
        "sizes": {"batch": "min(n // 80 + 1, n // 200 + 6)", "units": "min(n // 2 + 48, 192)"},
        "difficulty": "easy",
        "dims": ["batch", "units"],
        "parameters": {
            "up_projections": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-3.0, 3.0]}},
            "gates": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-4.0, 4.0]}},
            "skips": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-2.0, 2.0]}},
            "layer_outputs": {"role": "out", "shape": ["batch", "units"]},
        },
    },
}

MADE_OF = {
    "highway_connection": {"goal": "neural.highway_output", "ending": "per_element", "formulas": ["neural.highway_output", "neural.tanh_geglu"]},
}
