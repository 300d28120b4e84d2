"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


@wp.kernel
def start(
    b: wp.array(dtype=float),
    theta: float,
    x: wp.array(dtype=float),
    r: wp.array(dtype=float),
    d: wp.array(dtype=float),
):
    """Start from zero, where the residual is b, with a step of length 1 / theta."""
    i = wp.tid()
    x[i] = 0.0
    r[i] = b[i]
    d[i] = b[i] / theta


@wp.kernel
def step(
    diagonal: wp.array(dtype=float),
    d: wp.array(dtype=float),
    x: wp.array(dtype=float),
    r: wp.array(dtype=float),
):
    """Add the direction to the solution, and take its product with the tridiagonal matrix, which
    has -1 on both sides of its diagonal, from the residual."""
    i = wp.tid()
    x[i] = x[i] + d[i]
    product = diagonal[i] * d[i]
    if i > 0:
        product -= d[i - 1]
    if i < d.shape[0] - 1:
        product -= d[i + 1]
    r[i] = r[i] - product


@wp.kernel
def update_direction(r: wp.array(dtype=float), keep: float, gain: float, d: wp.array(dtype=float)):
    """Combine the direction with the residual by the coefficients of the Chebyshev recurrence."""
    i = wp.tid()
    d[i] = keep * d[i] + gain * r[i]


LAUNCH = {
    "chebyshev_smoother": {
        "description": "Run 4 steps of Chebyshev iteration, which needs no inner products, on a tridiagonal system with eigenvalues between 0.5 and 6.0.",
        "sizes": {"size": "min(n, 4093) + 4"},
        "difficulty": "hard",
        "steps": [
            {"kernel": "start", "dims": ["size"], "arguments": {}},
            {"kernel": "step", "dims": ["size"], "arguments": {}},
            {"kernel": "update_direction", "dims": ["size"], "arguments": {"keep": "keep_1", "gain": "gain_1"}},
            {"kernel": "step", "dims": ["size"], "arguments": {}},
            {"kernel": "update_direction", "dims": ["size"], "arguments": {"keep": "keep_2", "gain": "gain_2"}},
            {"kernel": "step", "dims": ["size"], "arguments": {}},
            {"kernel": "update_direction", "dims": ["size"], "arguments": {"keep": "keep_3", "gain": "gain_3"}},
            {"kernel": "step", "dims": ["size"], "arguments": {}},
        ],
        "parameters": {
            "b": {"role": "in", "shape": ["size"], "values": {"uniform": [-1.0, 1.0]}},
            "diagonal": {"role": "in", "shape": ["size"], "values": {"uniform": [2.5, 4.0]}},
            "theta": {"values": {"constant": 3.25}},
            "keep_1": {"values": {"constant": 0.557604}},
            "gain_1": {"values": {"constant": 0.479263}},
            "keep_2": {"values": {"constant": 0.386581}},
            "gain_2": {"values": {"constant": 0.42664}},
            "keep_3": {"values": {"constant": 0.330123}},
            "gain_3": {"values": {"constant": 0.409269}},
            "x": {"role": "out", "shape": ["size"]},
            "r": {"role": "out", "shape": ["size"]},
            "d": {"role": "out", "shape": ["size"]},
        },
    },
}

MADE_OF = {
    "chebyshev_smoother": {"goal": "multi_launch.conjugate_gradient", "ending": "written", "formulas": []},
}

PARTS = ["start", "step", "update_direction"]
