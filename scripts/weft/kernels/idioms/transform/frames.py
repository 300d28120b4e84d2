"""Frames as idioms get and use them: stored poses, and what is done with a transform."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.effects import change
from weft.kernels.expressions import construct, ops, transform
from weft.kernels.idioms.rotations import pose, space
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import plural, read, uniform
from weft.types import Transform, Vector


def spatial_of(k: Builder) -> Vector:
    """Spatial vectors of the kernel's numbers."""
    return Vector(6, k.real)


def stored_pose(k: Builder, name: str, index: Expr | None = None) -> Expr:
    """An element of an array of transforms, its rotation brought to unit length."""
    handle = k.array(
        plural(name), Transform(k.real), k.shape if index is None else ("bodies",), uniform(-1.0, 1.0)
    )
    raw = k.let(f"raw_{name}", handle[k.index if index is None else index])
    turn = ops.normalize(ops.transform_get_rotation(raw))
    return k.let(name, transform(ops.transform_get_translation(raw), turn))


def frame_of(k: Builder, name: str) -> Expr:
    """A pose, made from its parts or stored as one."""
    return stored_pose(k, name) if k.rng.chance(0.4) else pose(k, name)


def moved_frame(k: Builder, name: str, frame: Expr, place: Expr | None, turn: Expr | None) -> Expr:
    """A frame with another place or turn: made from its parts, or a copy in which they are set."""
    if k.rng.chance(0.4):
        old = (ops.transform_get_translation(frame), ops.transform_get_rotation(frame))
        return k.let(name, transform(old[0] if place is None else place, old[1] if turn is None else turn))
    copy = k.var(name, frame, type=frame.type)
    changes = [("transform_set_translation", place), ("transform_set_rotation", turn)]
    for function, part in k.rng.shuffled(changes):
        if part is not None:
            change(k, function, copy, part)
    return copy


def use_frame(k: Builder, name: str, frame: Expr, doc: str) -> None:
    """Store a transform, or what it does to a point: all of it shows in the output."""
    kind = k.rng.pick("pose", "point", "point", "back", "corner", "height", "reach")
    if kind == "pose":
        finish(k, name, frame, doc)
        return
    if kind == "corner":
        corner = construct(space(k), *(k.rng.number(-0.9, 0.9) for _ in range(3)))
        finish(
            k, "corner", ops.transform_point(frame, corner), f"{doc}; the output is a corner carried by it"
        )
        return
    point = read(k, "point", -1.0, 1.0, space(k))
    if kind == "back":
        local = ops.transform_point(ops.transform_inverse(frame), point)
        finish(k, "local_point", local, f"{doc}; the output is a point as seen from it")
        return
    image = ops.transform_point(frame, point)
    if kind == "point":
        finish(k, "image", image, f"{doc}; the output is a point carried by it")
    elif kind == "height":
        at = k.rng.below(3)
        finish(
            k,
            "height",
            k.let("image", image)[at],
            f"{doc}; the output is the {'xyz'[at]} of a point carried by it",
        )
    else:
        finish(k, "reach", ops.length(image), f"{doc}; the output is how far a point is that it carries")
