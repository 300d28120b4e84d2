"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.func
def flux(h: float, hu: float, gravity: float):
    """Flux of mass and momentum of the shallow water equations."""
    return wp.vec2(hu, hu * hu / h + 0.5 * gravity * h * h)


@wp.kernel
def hll_fluxes(
    depth: wp.array(dtype=float),
    discharge: wp.array(dtype=float),
    gravity: float,
    fluxes: wp.array(dtype=wp.vec2),
):
    """HLL flux of the shallow water equations between neighbouring cells."""
    i = wp.tid()
    u_left = discharge[i] / depth[i]
    u_right = discharge[i + 1] / depth[i + 1]
    c_left = wp.sqrt(gravity * depth[i])
    c_right = wp.sqrt(gravity * depth[i + 1])
    s_left = wp.min(u_left - c_left, u_right - c_right)
    s_right = wp.max(u_left + c_left, u_right + c_right)
    f_left = flux(depth[i], discharge[i], gravity)
    f_right = flux(depth[i + 1], discharge[i + 1], gravity)
    if s_left >= 0.0:
        f = f_left
    elif s_right <= 0.0:
        f = f_right
    else:
        jump = wp.vec2(depth[i + 1] - depth[i], discharge[i + 1] - discharge[i])
        f = (s_right * f_left - s_left * f_right + s_left * s_right * jump) / (s_right - s_left)
    fluxes[i] = f


LAUNCH = {
    "hll_fluxes": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "depth": {"role": "in", "shape": ["n + 1"], "values": {"uniform": [0.5, 2.0]}},
            "discharge": {"role": "in", "shape": ["n + 1"], "values": {"uniform": [-9.0, 12.0]}},
            "gravity": {"values": {"constant": 9.81}},
            "fluxes": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "hll_fluxes": {"goal": "multi_conditional.riemann_flux", "ending": "written", "formulas": []},
}
