"""Kernels of the category spring, seed 0.

Springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums.
"""

import warp as wp


STIFFNESS = wp.constant(2.2)


@wp.kernel
def bending(
    positions: wp.array(dtype=wp.vec2),
    corners: wp.array(dtype=wp.vec3i),
    moments: wp.array(dtype=wp.float32),
    rest_cosine: float,
):
    """Moment of a hinge from its cosine, softened."""
    h = wp.tid()
    ends = corners[h]
    c = ends[2]
    a = ends[0]
    b = ends[1]
    r = positions[c]
    p = positions[a]
    q = positions[b]
    other_b = r - q
    other_a = p - q
    cosine = wp.dot(other_a, other_b) / (wp.length(other_a) * wp.length(other_b) + 0.08)
    moment = STIFFNESS * (cosine - rest_cosine)
    moments[h] = moment


LAUNCH = {
    "bending": {
        "sizes": {"points": "n"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "corners": {"role": "in", "shape": ["n"], "values": {"integers": [0, "points"]}},
            "moments": {"role": "out", "shape": ["n"]},
            "rest_cosine": {"values": {"uniform": [-0.8, 0.2]}},
        },
    },
}
