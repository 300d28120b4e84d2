"""Where the rotations and transforms of idioms come from, and what keeps them at unit length."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops, transform
from weft.kernels.program import Expr
from weft.kernels.vocabulary import coefficient, read, uniform
from weft.types import Quaternion, Vector


def space(k: Builder) -> Vector:
    """Vectors of three numbers of the kernel's kind."""
    return Vector(3, k.real)


def unit(q: Expr) -> Expr:
    """A product of rotations, which is one."""
    return bounded(q, -1.0, 1.0)


def rotation(k: Builder, name: str, *, shared: bool = False, flat: bool = True) -> Expr:
    """A rotation under a name: an element, or made from an axis and an angle, angles, or components.

    `shared` allows one that all threads have in common, `flat` one about an axis of the coordinates, of which
    some angles are zero.
    """
    kinds = ["element", "element", "axis and angle", "angles", "components", *["about an axis"] * flat]
    kind = k.rng.pick(*kinds, *(["parameter"] * 3 if shared else []))
    scalar = k.real
    match kind:
        case "axis and angle":
            axis = ops.normalize(read(k, f"{name}_axis", 0.1, 1.0, space(k)))
            angle = coefficient(k, f"{name}_angle", -3.0, 3.0)
            return k.let(name, ops.quat_from_axis_angle(axis, angle))
        case "angles":
            angles = [read(k, f"{name}_{one}", -1.5, 1.5) for one in ("roll", "pitch", "yaw")]
            return k.let(name, ops.quat_rpy(*angles))
        case "about an axis":
            angle = read(k, f"{name}_angle", -3.0, 3.0)
            return k.let(name, ops.quat_from_axis_angle(axis_vector(k, k.rng.below(3)), angle))
        case "components":
            part = read(k, f"{name}_part", -1.0, 1.0, space(k))
            real = k.rng.number(0.5, 1.5)
            q = construct(Quaternion(scalar), part[0], part[1], part[2], lift(real, scalar))
            return k.let(name, ops.normalize(q))
        case "parameter":
            return k.let(
                name, ops.normalize(k.scalar(f"{name}_setting", Quaternion(scalar), uniform(-1.0, 1.0)))
            )
        case _:
            return k.let(
                name,
                ops.normalize(read(k, name, -1.0, 1.0, Quaternion(scalar), inline=True)),
            )


def pose(k: Builder, name: str, reach: float = 1.0) -> Expr:
    """A transform under a name, from a place and a rotation."""
    place = read(k, f"{name}_place", -reach, reach, space(k), inline=k.rng.chance(0.5))
    return k.let(name, transform(place, rotation(k, f"{name}_turn")))


def identity(k: Builder) -> Expr:
    """The rotation that turns nothing."""
    return construct(Quaternion(k.real), 0.0, 0.0, 0.0, 1.0)


def axis_vector(k: Builder, at: int) -> Expr:
    """A unit vector along an axis."""
    values = [0.0, 0.0, 0.0]
    values[at] = 1.0
    return construct(space(k), *values)
