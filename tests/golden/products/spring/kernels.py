"""Kernels of the category spring, seed 0.

Springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony.
"""

import warp as wp


@wp.kernel
def solve_distances(
    predicted: wp.array(dtype=wp.vec3),
    inv_masses: wp.array(dtype=float),
    edges: wp.array2d(dtype=int),
    rest_lengths: wp.array(dtype=float),
    compliance: float,
    dt: float,
    multipliers: wp.array(dtype=float),
    corrections: wp.array(dtype=wp.vec3),
):
    """Compliant distance constraints (XPBD): add the corrections of both ends."""
    c = wp.tid()
    i = edges[c, 0]
    j = edges[c, 1]
    weight = inv_masses[i] + inv_masses[j]
    if i == j or weight == 0.0:
        return
    d = predicted[i] - predicted[j]
    length = wp.length(d)
    violation = wp.max(length - rest_lengths[c], 0.0)
    alpha = compliance / (dt * dt)
    delta = (-violation - alpha * multipliers[c]) / (weight + alpha)
    multipliers[c] = multipliers[c] + delta
    correction = delta / length * d
    wp.atomic_add(corrections, i, inv_masses[i] * correction)
    wp.atomic_sub(corrections, j, inv_masses[j] * correction)


@wp.kernel
def apply_corrections(
    corrections: wp.array(dtype=wp.vec3),
    relaxation: float,
    predicted: wp.array(dtype=wp.vec3),
):
    """Move the particles by their summed corrections, under-relaxed."""
    i = wp.tid()
    predicted[i] = predicted[i] + relaxation * corrections[i]


LAUNCH = {
    "xpbd_iterations": {
        "description": "Two Jacobi iterations of compliant distance constraints that only resist stretching.",
        "sizes": {"particles": "n // 2 + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"zero": "multipliers"},
            {"repeat": 2, "steps": [
                {"zero": "corrections"},
                {"kernel": "solve_distances", "dims": ["n"], "arguments": {}},
                {"kernel": "apply_corrections", "dims": ["particles"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "inv_masses": {"role": "in", "shape": ["particles"], "values": {"integers": [0, 3]}},
            "edges": {"role": "in", "shape": ["n", "2"], "values": {"integers": [0, "particles"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [3.0, 5.0]}},
            "compliance": {"values": {"uniform": [0.001, 0.01]}},
            "dt": {"values": {"uniform": [0.05, 0.1]}},
            "multipliers": {"role": "out", "shape": ["n"]},
            "corrections": {"role": "out", "shape": ["particles"]},
            "relaxation": {"values": {"uniform": [0.2, 0.3]}},
            "predicted": {"role": "inout", "shape": ["particles"], "values": {"uniform": [-5.0, 5.0]}},
        },
    },
}

MADE_OF = {
    "xpbd_iterations": {"goal": "spring.xpbd_constraints", "ending": "written", "formulas": []},
}

PARTS = ["solve_distances", "apply_corrections"]
