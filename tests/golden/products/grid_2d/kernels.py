"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


@wp.func
def flux_x(q: wp.vec3, g: float):
    """Return the shallow-water flux along x of the conserved state q = (h, hu, hv)."""
    u = q[1] / q[0]
    return wp.vec3(q[1], q[1] * u + 0.5 * g * q[0] * q[0], q[2] * u)


@wp.func
def flux_y(q: wp.vec3, g: float):
    """Return the shallow-water flux along y of the conserved state q = (h, hu, hv)."""
    v = q[2] / q[0]
    return wp.vec3(q[2], q[1] * v, q[2] * v + 0.5 * g * q[0] * q[0])


@wp.kernel
def lax_friedrichs_step(
    state: wp.array2d(dtype=wp.vec3),
    g: float,
    dt_over_dx: float,
    drag: float,
    new_state: wp.array2d(dtype=wp.vec3),
):
    """Take a Lax-Friedrichs step of the shallow water equations. Each cell holds the depth, which
    must be positive, and the momenta: (h, hu, hv), with u along j and v along i. Linear drag slows
    the water implicitly; `drag` is the drag coefficient times the time step. The grid is
    periodic."""
    i, j = wp.tid()
    rows = state.shape[0]
    cols = state.shape[1]
    below = state[(i - 1 + rows) % rows, j]
    above = state[(i + 1) % rows, j]
    left = state[i, (j - 1 + cols) % cols]
    right = state[i, (j + 1) % cols]
    mean = 0.25 * (below + above + left + right)
    divergence = 0.5 * (flux_x(right, g) - flux_x(left, g) + flux_y(above, g) - flux_y(below, g))
    q = mean - dt_over_dx * divergence
    new_state[i, j] = wp.vec3(q[0], q[1] / (1.0 + drag), q[2] / (1.0 + drag))


LAUNCH = {
    "lax_friedrichs_step": {
        "sizes": {"rows": "(n + 63) // 64 + 2", "cols": "80"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "state": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.8, 1.2]}},
            "g": {"values": {"uniform": [9.8, 9.82]}},
            "dt_over_dx": {"values": {"uniform": [0.02, 0.06]}},
            "drag": {"values": {"uniform": [0.01, 0.1]}},
            "new_state": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "lax_friedrichs_step": {"goal": "grid_2d.shallow_water", "ending": "written", "formulas": []},
}
