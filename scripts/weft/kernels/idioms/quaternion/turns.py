"""Parts of quaternions, and what a rotation is used for."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops
from weft.kernels.idioms.rotations import axis_vector, space
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import read


def vector_part(k: Builder, q: Expr) -> Expr:
    """The vector part of a quaternion."""
    return construct(space(k), q[0], q[1], q[2])


def store_turn(k: Builder, name: str, q: Expr, doc: str) -> None:
    """Store a rotation, or a vector that it turns, or something that it is measured by."""
    match k.rng.pick("rotation", "vector", "vector", "axis", "angle", "height"):
        case "vector":
            v = read(k, "arm", -1.0, 1.0, space(k))
            turned, way = k.rng.pick(
                (ops.quat_rotate(q, v), "turned"), (ops.quat_rotate_inv(q, v), "turned back")
            )
            finish(k, "turned_arm", turned, f"{doc}; the output is an arm that it has {way}")
        case "axis":
            at = k.rng.below(3)
            turned = ops.quat_rotate(q, axis_vector(k, at))
            finish(k, "direction", turned, f"{doc}; the output is where it turns the {'xyz'[at]} axis")
        case "angle":
            sine = k.let("sine", ops.length(vector_part(k, q)))
            finish(k, "angle", 2.0 * ops.atan2(sine, ops.abs(q[3])), f"{doc}; the output is its angle")
        case "height":
            level = 1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1])
            finish(k, "tilt", level, f"{doc}; the output is the cosine of its tilt")
        case _:
            finish(k, name, q, doc)
