"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def dogleg_step(
    cauchy_points: wp.array(dtype=wp.vec3),
    newton_steps: wp.array(dtype=wp.vec3),
    radius: float,
    steps: wp.array(dtype=wp.vec3),
):
    """Compute the dogleg step: Newton's step if it lies inside the trust region, else the point
    where the path over the Cauchy point leaves it."""
    i = wp.tid()
    cauchy = cauchy_points[i]
    newton = newton_steps[i]
    if wp.length(newton) <= radius:
        steps[i] = newton
    elif wp.length(cauchy) >= radius:
        steps[i] = radius * wp.normalize(cauchy)
    else:
        leg = newton - cauchy
        a = wp.dot(leg, leg)
        b = wp.dot(cauchy, leg)
        c = radius * radius - wp.dot(cauchy, cauchy)
        tau = (wp.sqrt(wp.max(b * b + a * c, 0.0)) - b) / a
        steps[i] = cauchy + tau * leg


LAUNCH = {
    "dogleg_step": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "cauchy_points": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.8]}},
            "newton_steps": {"role": "in", "shape": ["n"], "values": {"uniform": [0.4, 2.0]}},
            "radius": {"values": {"uniform": [0.9, 1.3]}},
            "steps": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "dogleg_step": {"goal": "conditional.gradient_clipping", "ending": "written", "formulas": []},
}
