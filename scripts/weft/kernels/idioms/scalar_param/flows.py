"""Particles in a flow that vector parameters describe."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops
from weft.kernels.idioms.scalar_param.knobs import knob
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import read, threads, uniform
from weft.types import Matrix, Vector


def uniform_field(k: Builder) -> None:
    """Vector parameters passed by value."""
    threads(k)
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    velocity = read(k, "velocity", -1.0, 1.0, space)
    drag, dt = knob(k, "drag", 0.1, 1.0), knob(k, "dt", 0.02, 0.2)
    position, wind = _flow(k, space)
    relative = k.let("relative", wind - velocity)
    match k.rng.below(4):
        case 0:
            push, law = drag * relative, "linear drag"
        case 1:
            push, law = drag * ops.length(relative) * relative, "quadratic drag"
        case 2:
            speed = k.let("speed", ops.length(relative))
            push, law = drag * relative / (1.0 + speed / knob(k, "top_speed", 0.5, 2.0)), "saturating drag"
        case _:
            axis = k.scalar("axis", space, uniform(0.2, 1.0))
            push, law = drag * ops.dot(relative, axis) * axis, "drag along an axis"
    result = velocity + dt * push
    if k.rng.chance(0.4):
        result = result + dt * k.scalar("gravity", space, uniform(-9.8, 0.0))
        k.notes.append("Gravity pulls as well")
    if k.rng.chance(0.3):
        result = k.let("pushed", result)
        limit = knob(k, "max_speed", 0.5, 1.5)
        result = result * (limit / (limit + ops.length(result)))
        k.notes.append("The speed stays below max_speed")
    if position is not None and k.rng.chance(0.5):
        result = k.let("moved_velocity", result)
        finish(k, "new_position", position + dt * result, f"Place of each particle after a step with {law}")
        return
    finish(k, "new_velocity", result, f"Velocity of each particle after one step with {law}")


def _flow(k: Builder, space: Vector) -> tuple[Expr | None, Expr]:
    """The velocity of the medium where a particle is, and its place if that matters."""
    kind = k.rng.pick("uniform", "uniform", "vortex", "sheared", "gust")
    if kind == "uniform":
        k.notes.append("The flow is uniform")
        return None, k.scalar(k.rng.pick("wind", "flow"), space, uniform(-2.0, 2.0))
    if kind == "gust":
        wind, gust = k.scalar("wind", space, uniform(-1.0, 1.0)), k.scalar("gust", space, uniform(-1.0, 1.0))
        k.notes.append("A gust adds to the wind where its share says so")
        return None, k.let("flow_here", wind + read(k, "share", 0.0, 1.0) * gust)
    position = read(k, "position", -1.0, 1.0, space)
    if kind == "vortex":
        center = k.scalar("center", space, uniform(-0.5, 0.5))
        arm = k.let("arm", position - center)
        if space.length == 3:
            turning: Expr = ops.cross(k.scalar("spin", space, uniform(-1.0, 1.0)), arm)
        else:
            turning = knob(k, "spin", -1.0, 1.0) * construct(space, -arm[1], arm[0])
        k.notes.append("The flow turns about center")
        return position, k.let("flow_here", turning)
    matrix = Matrix(space.length, space.length, k.real)
    k.notes.append("The flow changes with the place, by a matrix")
    return position, k.let("flow_here", k.scalar("shear", matrix, uniform(-1.0, 1.0)) @ position)
