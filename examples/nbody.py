"""An n-body system under its own gravity, stepped by the symplectic Euler method."""

import warp as wp
from gravity import Body, attraction


@wp.func
def symplectic_euler(body: Body, acceleration: wp.vec3, time_step: float) -> Body:
    """Kick the velocity by a full step, then drift the position with it."""
    velocity = body.velocity + acceleration * time_step
    return Body(body.position + velocity * time_step, velocity, body.mass)


@wp.kernel
def step_bodies(
    bodies: wp.array(dtype=Body),
    next_bodies: wp.array(dtype=Body),
    count: int,
    time_step: float,
):
    """Advance every body by one time step under the pull of all others."""
    i = wp.tid()

    body = bodies[i]
    acceleration = wp.vec3(0.0, 0.0, 0.0)
    for j in range(count):
        # A body exerts no force on itself.
        if j != i:
            acceleration += attraction(body.position, bodies[j])

    next_bodies[i] = symplectic_euler(body, acceleration, time_step)


@wp.kernel
def kinetic_energy(bodies: wp.array(dtype=Body), energy: wp.array(dtype=float)):
    """Kinetic energy of every body."""
    i = wp.tid()
    energy[i] = 0.5 * bodies[i].mass * wp.length_sq(bodies[i].velocity)


LAUNCH = {
    "step_bodies": {
        "sizes": {"bodies": "min(n, 300)"},
        "dims": ["bodies"],
        "parameters": {
            "bodies": {
                "shape": ["bodies"],
                "values": {
                    "members": {
                        "position": {"uniform": [-10.0, 10.0]},
                        "velocity": {"uniform": [-1.0, 1.0]},
                        "mass": {"uniform": [0.5, 2.0]},
                    }
                },
            },
            "next_bodies": {"role": "out", "shape": ["bodies"]},
            "count": {"values": {"size": "bodies"}},
            "time_step": {"values": {"constant": 0.01}},
        },
    },
    "kinetic_energy": {
        "dims": ["n"],
        "parameters": {
            "bodies": {
                "shape": ["n"],
                "values": {
                    "members": {
                        "position": {"constant": 0.0},
                        "velocity": {"uniform": [-1.0, 1.0]},
                        "mass": {"uniform": [0.5, 2.0]},
                    }
                },
            },
            "energy": {"role": "out", "shape": ["n"]},
        },
    },
}
