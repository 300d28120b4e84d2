"""Rules for constructors: vectors, matrices, quaternions and transforms from what they are made of."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type, component_names
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Rule, UnsupportedError, Use, listed, use_helper
from weft.cuda.tree import Call, Construct, Expression, Literal, Member, Name
from weft.types import Matrix, Quaternion, Scalar, Type, Vector


def construct(use: Use) -> Expression:
    """Constructors of vectors, matrices and quaternions from components, one value or nothing."""
    kind = use.value
    if not isinstance(kind, Vector | Matrix | Quaternion):
        raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported")
    scalar = scalar_of(kind)
    count = len(component_names(kind))
    arguments = use.arguments
    if not arguments:
        return Construct(kind, [Literal(scalar, 0) for _ in range(count)])
    if all(isinstance(argument.type, Scalar) for argument in arguments):
        if len(arguments) == count:
            return Construct(kind, list(arguments))
        if len(arguments) == 1:
            return _filled(kind, arguments[0], count)
    if len(arguments) == 1 and isinstance(kind, Vector) and isinstance(arguments[0].type, Vector):
        if arguments[0].type == kind:
            return arguments[0]
        name = f"to_{c_type(kind)}"
        return Call(kind, name, list(arguments), ("convert", (kind, arguments[0].type)))
    if isinstance(kind, Matrix) and all(isinstance(argument.type, Vector) for argument in arguments):
        return use_helper(use, "matrix_from_columns")
    if isinstance(kind, Quaternion) and isinstance(use.types[0], Vector) and isinstance(arguments[0], Name):
        v = arguments[0]
        parts = [Member(scalar, v, f".{c}") for c in "xyz"]
        return Construct(kind, [*parts, arguments[1] if len(arguments) > 1 else Literal(scalar, 0)])
    raise UnsupportedError(f"wp.{use.name}({listed(use.types)}) is not supported: give every component")


def _filled(type: Type, value: Expression, count: int) -> Expression:
    """All components the same: written out for a literal, else by a helper that evaluates it once."""
    if isinstance(value, Literal) and count <= 4:
        return Construct(type, [value] * count)
    return Call(type, f"fill_{c_type(type)}", [value], ("fill", (type,)))


def identity(use: Use) -> Expression:
    """wp.identity of a square matrix."""
    return Call(use.value, f"identity_{c_type(use.value)}", [], ("identity", (use.value,)))


def transform_identity(use: Use) -> Expression:
    """wp.transform_identity."""
    scalar = scalar_of(use.value)
    translation = Construct(Vector(3, scalar), [Literal(scalar, 0) for _ in range(3)])
    rotation = Construct(Quaternion(scalar), [Literal(scalar, i // 3) for i in range(4)])
    return Construct(use.value, [translation, rotation])


def construct_transform(use: Use) -> Expression:
    """wp.transform from a translation and a rotation, or nothing."""
    match use.types:
        case (Vector(length=3), Quaternion()):
            return Construct(use.value, list(use.arguments))
        case ():
            return Construct(use.value, [])
        case _:
            raise UnsupportedError(f"wp.{use.name}({listed(use.types)}) is not supported: give p and q")


def part(path: str, kind: Callable[[Scalar], Type]) -> Rule:
    """The translation or the rotation of a transform."""
    return lambda use: Member(kind(scalar_of(use.types[0])), use.arguments[0], path)


def quat_identity(use: Use) -> Expression:
    """wp.quat_identity."""
    scalar = scalar_of(use.value)
    return Construct(use.value, [*(Literal(scalar, 0) for _ in range(3)), Literal(scalar, 1)])
