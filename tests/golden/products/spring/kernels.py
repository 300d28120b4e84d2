"""Kernels of the category spring, seed 0.

Springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums.
"""

import warp as wp


@wp.func
def evaluate_bend(p: wp.vec3, r: wp.vec3, q: wp.vec3):
    """The bend, from p, r and q."""
    return p + r - 2.0 * q


@wp.kernel
def bending(
    active: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec3),
    indices: wp.array2d(dtype=wp.int32),
    factors: wp.array(dtype=wp.float32),
    energies: wp.array(dtype=wp.float32),
):
    """Bending energy of three points. Elements that are not active are skipped. The energy is
    multiplied by factors[hinge]. The result goes through a hyperbolic decay."""
    hinge = wp.tid()
    if active[hinge] == 0:
        return
    q = positions[indices[hinge, 1]]
    a = indices[hinge, 0]
    p = positions[a]
    c = indices[hinge, 2]
    r = positions[c]
    bend = evaluate_bend(p, r, q)
    energy = factors[hinge] * (1.3 * wp.dot(bend, bend))
    energies[hinge] = 1.0 / (1.0 + energy)


LAUNCH = {
    "bending": {
        "sizes": {"points": "max(n // 2, 1)"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "positions": {"role": "in", "shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "indices": {"role": "in", "shape": ["n", "3"], "values": {"integers": [0, "points"]}},
            "factors": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 5.0]}},
            "energies": {"role": "out", "shape": ["n"]},
        },
    },
}
