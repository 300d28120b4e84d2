"""Frames as idioms get and use them: stored poses, and what is done with a transform."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import ops, transform
from weft.kernels.idioms import read, uniform
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.rotations import axis_vector, pose, space
from weft.types import Transform, Vector


def spatial_of(k: Builder) -> Vector:
    """Spatial vectors of the kernel's numbers."""
    return Vector(6, k.real)


def stored_pose(k: Builder, name: str, index: Expr | None = None) -> Expr:
    """An element of an array of transforms, its rotation brought to unit length."""
    handle = k.array(
        f"{name}s", Transform(k.real), k.shape if index is None else ("bodies",), uniform(-1.0, 1.0)
    )
    raw = k.let(f"raw_{name}", handle[k.index if index is None else index])
    turn = ops.normalize(ops.transform_get_rotation(raw))
    return k.let(name, transform(ops.transform_get_translation(raw), turn))


def frame_of(k: Builder, name: str) -> Expr:
    """A pose, made from its parts or stored as one."""
    return stored_pose(k, name) if k.rng.chance(0.4) else pose(k, name)


def use_frame(k: Builder, name: str, frame: Expr, doc: str) -> None:
    """Store a transform, a part of it, or what it does to a point or a direction."""
    match k.rng.pick("pose", "point", "point", "vector", "back", "place", "turn"):
        case "point":
            point = read(k, "point", -1.0, 1.0, space(k))
            finish(
                k, "image", ops.transform_point(frame, point), f"{doc}; the output is a point carried by it"
            )
        case "vector":
            v = read(k, "heading", -1.0, 1.0, space(k))
            finish(
                k,
                "direction",
                ops.transform_vector(frame, v),
                f"{doc}; the output is a direction turned by it",
            )
        case "back":
            point = read(k, "point", -1.0, 1.0, space(k))
            local = ops.transform_point(ops.transform_inverse(frame), point)
            finish(k, "local_point", local, f"{doc}; the output is a point as seen from it")
        case "place":
            finish(
                k,
                "place",
                ops.transform_get_translation(frame),
                f"{doc}; the output is where its origin lies",
            )
        case "turn":
            axis = ops.quat_rotate(ops.transform_get_rotation(frame), axis_vector(k, k.rng.below(3)))
            finish(k, "axis", axis, f"{doc}; the output is one of its axes")
        case _:
            finish(k, name, frame, doc)
