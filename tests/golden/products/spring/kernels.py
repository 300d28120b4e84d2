"""Kernels of the category spring, seed 0.

Springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony.
"""

import warp as wp


@wp.kernel
def solve_distances(
    positions: wp.array(dtype=wp.vec3),
    inv_masses: wp.array(dtype=float),
    edges: wp.array2d(dtype=int),
    rest_lengths: wp.array(dtype=float),
    stiffness: float,
    corrections: wp.array(dtype=wp.vec3),
):
    """Distance constraints of position-based dynamics: add the corrections of both ends."""
    c = wp.tid()
    i = edges[c, 0]
    j = edges[c, 1]
    weight = inv_masses[i] + inv_masses[j]
    if i == j or weight == 0.0:
        return
    d = positions[i] - positions[j]
    length = wp.length(d)
    violation = length - rest_lengths[c]
    correction = -stiffness * violation / (weight * length) * d
    wp.atomic_add(corrections, i, inv_masses[i] * correction)
    wp.atomic_sub(corrections, j, inv_masses[j] * correction)


@wp.kernel
def apply_corrections(
    corrections: wp.array(dtype=wp.vec3),
    relaxation: float,
    positions: wp.array(dtype=wp.vec3),
):
    """Move the particles by their summed corrections, under-relaxed."""
    i = wp.tid()
    positions[i] = positions[i] + relaxation * corrections[i]


LAUNCH = {
    "pbd_distance_solver": {
        "description": "Two Jacobi iterations of distance constraints.",
        "sizes": {"particles": "n // 2 + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
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
            "stiffness": {"values": {"uniform": [0.5, 0.9]}},
            "corrections": {"role": "out", "shape": ["particles"]},
            "relaxation": {"values": {"uniform": [0.2, 0.3]}},
            "positions": {"role": "inout", "shape": ["particles"], "values": {"uniform": [-5.0, 5.0]}},
        },
    },
}

MADE_OF = {
    "pbd_distance_solver": {"goal": "spring.xpbd_constraints", "ending": "written", "formulas": []},
}

PARTS = ["solve_distances", "apply_corrections"]
