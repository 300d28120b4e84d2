"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def advect_upwind(q: wp.array(dtype=float), courant: float, q_new: wp.array(dtype=float)):
    """First-order upwind step of the advection equation, periodic."""
    i = wp.tid()
    count = q.shape[0]
    left = (i - 1 + count) % count
    right = (i + 1) % count
    backward = q[i] - q[left]
    forward = q[right] - q[i]
    change = wp.max(courant, 0.0) * backward + wp.min(courant, 0.0) * forward
    q_new[i] = q[i] - change


LAUNCH = {
    "advect_upwind": {
        "sizes": {"cells": "n + 3"},
        "difficulty": "easy",
        "dims": ["cells"],
        "parameters": {
            "q": {"role": "in", "shape": ["cells"], "values": {"uniform": [0.0, 1.0]}},
            "courant": {"values": {"uniform": [-0.8, 0.8]}},
            "q_new": {"role": "out", "shape": ["cells"]},
        },
    },
}

MADE_OF = {
    "advect_upwind": {"goal": "stencil.upwind_advection", "ending": "written", "formulas": []},
}
