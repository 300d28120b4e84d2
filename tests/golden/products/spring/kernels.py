"""Kernels of the category spring, seed 0.

Springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums.
"""

import warp as wp


@wp.kernel
def distance_constraint(
    positions: wp.array(dtype=wp.vec2),
    starts: wp.array(dtype=wp.int32),
    ends: wp.array(dtype=wp.int32),
    rest_lengths: wp.array(dtype=wp.float32),
    inverse_masses: wp.array(dtype=wp.float32),
    stride: int,
    count: int,
    corrections_b: wp.array(dtype=wp.vec2),
    corrections_a: wp.array(dtype=wp.vec2),
):
    """Correction of a distance constraint between points of different masses, for both ends."""
    tid = wp.tid()
    for c in range(tid, count, stride):
        a = starts[c]
        b = ends[c]
        wa = inverse_masses[a]
        d = positions[a] - positions[b]
        length = wp.max(wp.length(d), 0.05)
        error = length - rest_lengths[c]
        wb = inverse_masses[b]
        push = 0.5 * (-error / (wa + wb)) / length * d
        corrections_b[c] = -wb * push
        corrections_a[c] = wa * push


LAUNCH = {
    "distance_constraint": {
        "sizes": {"points": "n", "threads": "min(n, 512)"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "positions": {"role": "in", "shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "starts": {"role": "in", "shape": ["n"], "values": {"integers": [0, "points"]}},
            "ends": {"role": "in", "shape": ["n"], "values": {"integers": [0, "points"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.2]}},
            "inverse_masses": {"role": "in", "shape": ["points"], "values": {"uniform": [0.1, 1.5]}},
            "stride": {"values": {"size": "threads"}},
            "count": {"values": {"size": "n"}},
            "corrections_b": {"role": "out", "shape": ["n"]},
            "corrections_a": {"role": "out", "shape": ["n"]},
        },
    },
}
