"""Kernels of the category spring, seed 0.

Springs: tension, damping, constraints, cloth, networks of particles.
"""

import warp as wp


@wp.kernel
def solve_distances(
    positions: wp.array(dtype=wp.vec3),
    inv_masses: wp.array(dtype=float),
    edges: wp.array(dtype=wp.vec2i),
    rest_lengths: wp.array(dtype=float),
    compliance: float,
    relaxation: float,
    dt: float,
    multipliers: wp.array(dtype=float),
    corrections: wp.array(dtype=wp.vec3),
):
    """Solve each compliant distance constraint (XPBD) by itself, and add relaxation times its
    position changes to the corrections of both particles. Constraints between two fixed or two
    coincident particles are skipped."""
    c = wp.tid()
    i = edges[c][0]
    j = edges[c][1]
    weight = inv_masses[i] + inv_masses[j]
    d = positions[i] - positions[j]
    length = wp.length(d)
    if weight == 0.0 or length == 0.0:
        return
    violation = length - rest_lengths[c]
    alpha = compliance / (dt * dt)
    delta = -relaxation * (violation + alpha * multipliers[c]) / (weight + alpha)
    multipliers[c] += delta
    correction = delta / length * d
    wp.atomic_add(corrections, i, inv_masses[i] * correction)
    wp.atomic_sub(corrections, j, inv_masses[j] * correction)


@wp.kernel
def add_corrections(corrections: wp.array(dtype=wp.vec3), positions: wp.array(dtype=wp.vec3)):
    """Move the particles by their corrections."""
    i = wp.tid()
    positions[i] += corrections[i]


LAUNCH = {
    "solve_distance_xpbd": {
        "description": "Run two Jacobi iterations of compliant distance constraints.",
        "sizes": {"num_edges": "n", "particles": "n // 2 + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"zero": "multipliers"},
            {"repeat": 2, "steps": [
                {"zero": "corrections"},
                {"kernel": "solve_distances", "dims": ["num_edges"], "arguments": {}},
                {"kernel": "add_corrections", "dims": ["particles"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "inv_masses": {"role": "in", "shape": ["particles"], "values": {"integers": [0, 3]}},
            "edges": {"role": "in", "shape": ["num_edges"], "values": {"integers": [0, "particles"]}},
            "rest_lengths": {"role": "in", "shape": ["num_edges"], "values": {"uniform": [3.0, 5.0]}},
            "compliance": {"values": {"uniform": [0.001, 0.01]}},
            "relaxation": {"values": {"uniform": [0.2, 0.3]}},
            "dt": {"values": {"uniform": [0.05, 0.1]}},
            "multipliers": {"role": "out", "shape": ["num_edges"]},
            "corrections": {"role": "out", "shape": ["particles"]},
            "positions": {"role": "inout", "shape": ["particles"], "values": {"uniform": [-5.0, 5.0]}},
        },
    },
}

MADE_OF = {
    "solve_distance_xpbd": {"goal": "spring.xpbd_constraints", "ending": "written", "formulas": []},
}

PARTS = ["solve_distances", "add_corrections"]
