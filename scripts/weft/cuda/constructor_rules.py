"""Rules for constructors: vectors, matrices, quaternions and transforms from what they are made of."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type, component_names
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Rule, UnsupportedError, Use, listed, use_helper
from weft.cuda.tree import Call, Construct, Expression, Literal, Member
from weft.cuda.values import zero
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def construct(use: Use) -> Expression:
    """Constructors of vectors, matrices and quaternions: from components, one value, parts or nothing."""
    kind = use.value
    if not isinstance(kind, Vector | Matrix | Quaternion):
        raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported")
    count = len(component_names(kind))
    arguments = use.arguments
    if not arguments:
        return zero(kind)
    if all(isinstance(argument.type, Scalar) for argument in arguments):
        if len(arguments) == count:
            return Construct(kind, list(arguments))
        if len(arguments) == 1:
            return _filled(kind, arguments[0], count)
    match kind, use.types:
        case _, (only,) if only == kind:
            return arguments[0]
        case (Vector(length), (Vector(other, _),)) if length == other:
            return _converted(kind, arguments[0])
        case (Matrix(rows, columns), (Matrix(r, c, _),)) if (rows, columns) == (r, c):
            return _converted(kind, arguments[0])
        case (Quaternion(), (Quaternion(),)):
            return _converted(kind, arguments[0])
        case (Quaternion(), (Vector(length=3), *_)):
            return use_helper(use, "quat_from_parts") if len(arguments) > 1 else _pure(kind, arguments[0])
        case (Matrix(rows, columns), _) if all(isinstance(one, Vector) for one in use.types):
            return use_helper(use, "matrix_from_columns")
        case _:
            allowed = "give every component, one for all, or a value to convert"
            raise UnsupportedError(f"wp.{use.name}({listed(use.types)}) is not supported: {allowed}")


def _pure(kind: Quaternion, imaginary: Expression) -> Expression:
    request = ("quat_from_parts", (imaginary.type, kind.scalar))
    return Call(kind, "quat_from_parts", [imaginary, Literal(kind.scalar, 0)], request)


def _converted(kind: Type, value: Expression) -> Expression:
    """Components converted from another scalar type."""
    return Call(kind, f"to_{c_type(kind)}", [value], ("convert", (kind, value.type)))


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
    """wp.transform from a translation and a rotation, seven numbers, another transform, or nothing."""
    kind = use.value
    scalar = scalar_of(kind)
    if all(isinstance(one, Scalar) for one in use.types) and len(use.types) == 7:
        translation = Construct(Vector(3, scalar), list(use.arguments[:3]))
        return Construct(kind, [translation, Construct(Quaternion(scalar), list(use.arguments[3:]))])
    match use.types:
        case (Vector(length=3), Quaternion()):
            return Construct(kind, list(use.arguments))
        case (only,) if only == kind:
            return use.arguments[0]
        case (Transform(),):
            return _converted(kind, use.arguments[0])
        case (Vector(length=3),):
            rotation = Construct(Quaternion(scalar), [Literal(scalar, i // 3) for i in range(4)])
            return Construct(kind, [use.arguments[0], rotation])
        case (Scalar(),):
            return _filled(kind, use.arguments[0], 7)
        case ():
            return Construct(kind, [])
        case _:
            raise UnsupportedError(f"wp.{use.name}({listed(use.types)}) is not supported: give p and q")


def part(path: str, kind: Callable[[Scalar], Type]) -> Rule:
    """The translation or the rotation of a transform."""
    return lambda use: Member(kind(scalar_of(use.types[0])), use.arguments[0], path)


def quat_identity(use: Use) -> Expression:
    """wp.quat_identity."""
    scalar = scalar_of(use.value)
    return Construct(use.value, [*(Literal(scalar, 0) for _ in range(3)), Literal(scalar, 1)])
