"""Kernels of the category spring, seed 0.

Springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums.
"""

import warp as wp


@wp.struct
class DistanceConstraintTuning:
    """The settings' part for the tuning."""

    dt: float
    compliance: float
    relaxation: float


@wp.struct
class DistanceConstraintParams:
    """Settings that all threads share."""

    tuning: DistanceConstraintTuning


@wp.func
def compute_push(relaxation: float, multiplier: float, length: float, d: wp.vec3):
    """The push, from relaxation, multiplier, length and d."""
    return relaxation * multiplier / length * d


@wp.kernel
def distance_constraint(
    positions: wp.array(dtype=wp.vec3),
    edges: wp.array(dtype=wp.vec2i),
    rest_lengths: wp.array(dtype=wp.float32),
    inverse_masses: wp.array(dtype=wp.float32),
    settings: DistanceConstraintParams,
    num_items: int,
    multipliers: wp.array(dtype=wp.float32),
    corrections_b: wp.array(dtype=wp.vec3),
    corrections_a: wp.array(dtype=wp.vec3),
):
    """Correction of a compliant distance constraint (XPBD), for both ends. Only stretched
    constraints act. Multipliers are summed up."""
    tid = wp.tid()
    constraint = num_items - 1 - tid
    rest_length = rest_lengths[constraint]
    ends = edges[constraint]
    a = ends[0]
    wb = inverse_masses[ends[1]]
    wa = inverse_masses[a]
    alpha = settings.tuning.compliance / (settings.tuning.dt * settings.tuning.dt)
    d = positions[a] - positions[ends[1]]
    length = wp.max(wp.length(d), 0.05)
    error = length - rest_length
    violation = wp.max(error, 0.0)
    multiplier = -violation / (wa + wb + alpha)
    multipliers[constraint] += multiplier
    push = compute_push(settings.tuning.relaxation, multiplier, length, d)
    corrections_b[constraint] = -wb * push
    corrections_a[constraint] = wa * push


LAUNCH = {
    "distance_constraint": {
        "sizes": {"points": "n + 1"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "edges": {"role": "in", "shape": ["n"], "values": {"integers": [0, "points"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.2]}},
            "inverse_masses": {"role": "in", "shape": ["points"], "values": {"uniform": [0.1, 1.5]}},
            "settings": {"values": {"members": {"tuning": {"members": {"dt": {"uniform": [0.1, 0.5]}, "compliance": {"uniform": [0.01, 0.2]}, "relaxation": {"uniform": [0.3, 0.95]}}}}}},
            "num_items": {"values": {"size": "n"}},
            "multipliers": {"role": "inout", "shape": ["n"], "values": {"uniform": [-0.2, 0.2]}},
            "corrections_b": {"role": "out", "shape": ["n"]},
            "corrections_a": {"role": "out", "shape": ["n"]},
        },
    },
}
