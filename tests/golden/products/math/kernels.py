"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def hermite_function_series(
    x: wp.array(dtype=wp.float64),
    coefficients: wp.array(dtype=wp.float64),
    values: wp.array(dtype=wp.float64),
):
    """Evaluate a superposition of the normalized eigenfunctions of the harmonic oscillator, with x
    in units of the oscillator length."""
    i = wp.tid()
    t = x[i]
    previous = wp.float64(0.7511255444649425) * wp.exp(wp.float64(-0.5) * t * t)  # pi^(-1/4)
    current = wp.sqrt(wp.float64(2.0)) * t * previous
    total = coefficients[0] * previous + coefficients[1] * current
    for k in range(2, coefficients.shape[0]):
        order = wp.float64(k)
        following = wp.sqrt(wp.float64(2.0) / order) * t * current
        following -= wp.sqrt((order - wp.float64(1.0)) / order) * previous
        previous = current
        current = following
        total += coefficients[k] * current
    values[i] = total


LAUNCH = {
    "hermite_function_series": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "coefficients": {"role": "in", "shape": ["12"], "values": {"uniform": [-1.0, 1.0]}},
            "values": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "hermite_function_series": {"goal": "math.orthogonal_polynomials", "ending": "written", "formulas": []},
}
