"""Newtonian gravity, shared by the examples."""

import warp as wp

GRAVITATIONAL_CONSTANT = 6.674e-3
SOFTENING = wp.constant(0.05)


@wp.struct
class Body:
    """A point mass."""

    position: wp.vec3
    velocity: wp.vec3
    mass: float


@wp.func
def attraction(at: wp.vec3, body: Body) -> wp.vec3:
    """Acceleration towards a body, softened so that close encounters stay finite."""
    offset = body.position - at
    distance_squared = wp.dot(offset, offset) + SOFTENING * SOFTENING
    return offset * (GRAVITATIONAL_CONSTANT * body.mass / (distance_squared * wp.sqrt(distance_squared)))
