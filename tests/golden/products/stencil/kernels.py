"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


DT = wp.constant(0.75)


@wp.struct
class AdvectionResult:
    """What each thread finds."""

    value: float
    level: int


@wp.kernel
def advection(
    moistures: wp.array(dtype=wp.float32),
    velocities: wp.array(dtype=wp.float32),
    count: int,
    results: wp.array(dtype=AdvectionResult),
):
    """One step of advection by the upwind scheme. Beyond the border the nearest element counts. The
    new moisture is stored in a struct with its level in steps of 1/32, rounded."""
    i = wp.tid()
    velocity = velocities[i]
    right = moistures[wp.min(i + 1, count - 1)]
    left = moistures[wp.max(i - 1, 0)]
    here = moistures[i]
    courant = velocity * DT
    forth = wp.max(courant, 0.0)
    back = wp.min(courant, 0.0)
    new_moisture = here - forth * (here - left) - back * (right - here)
    result = AdvectionResult()
    result.value = new_moisture
    result.level = int(wp.round(new_moisture * 32.0))
    results[i] = result


LAUNCH = {
    "advection": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "moistures": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "results": {"role": "out", "shape": ["n"]},
        },
    },
}
