"""Operators on vectors, matrices, quaternions and transforms, which CUDA has none of."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers import matrices
from weft.cuda.helpers.files import FILE_HELPERS
from weft.cuda.helpers.text import Helper, define, math_call, parts, passed, scalar_of
from weft.cuda.helpers.vectors import componentwise, elementwise, unary
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def with_scalar(operator: str) -> Callable[[Type, Type], Helper]:
    """`a * s`, `s * a`, `a / s`, `s / a`."""

    def helper(left: Type, right: Type) -> Helper:
        if not isinstance(left, Scalar):
            head = f"operator{operator}({passed(left)} a, {c_type(right)} s)"
            return elementwise(left, head, f"a{{0}} {operator} s")
        head = f"operator{operator}({c_type(left)} s, {passed(right)} a)"
        return elementwise(right, head, f"s {operator} a{{0}}")

    return helper


def divide_approximately(left: Type, right: Type) -> Helper:
    """Warp: div_approx of a compound value and a float, in either order."""
    if isinstance(left, Scalar):
        head = f"divide_approximately(float s, {passed(right)} a)"
        return elementwise(right, head, "__fdividef(s, a{0})")
    return elementwise(left, f"divide_approximately({passed(left)} a, float s)", "__fdividef(a{0}, s)")


def compound(operator: str) -> Callable[[Type, Type], Helper]:
    """`a += b` by way of `a + b`."""

    def helper(left: Type, right: Type) -> Helper:

        return define(
            f"{c_type(left)}& operator{operator}=({c_type(left)}& a, {passed(right)} b)",
            [f"return a = a {operator} b;"],
            needs=((f"operator{operator}", (left, right)),),
        )

    return helper


def arithmetic(operator: str) -> Callable[[Type, Type], Helper]:
    """The helper of a binary operator, by the kinds of its operands."""
    same = componentwise(f"operator{operator}", f"a{{0}} {operator} b{{0}}")
    mixed = with_scalar(operator)

    def helper(left: Type, right: Type) -> Helper:
        match left, right:
            case (Scalar(), _) | (_, Scalar()):
                return mixed(left, right)
            case (Matrix(), Matrix()) if operator == "*":
                return matrices.product(left, right)
            case (Matrix(), Vector()) if operator == "*":
                return matrices.times_vector(left, right)
            case (Vector(), Matrix()) if operator == "*":
                return matrices.vector_times(left, right)
            case (Quaternion(), Quaternion()) if operator == "*":
                return FILE_HELPERS["quat_product"](left)
            case (Transform(), Transform()) if operator == "*":
                return FILE_HELPERS["transform_product"](left)
            case _:
                return same(left, right)

    return helper


def modulo(left: Type, right: Type) -> Helper:
    """Warp: mod of vectors."""
    scalar = scalar_of(left)
    pattern = math_call("fmod", scalar, "a{0}", "b{0}") if scalar.is_float else "a{0} % b{0}"
    return componentwise("operator%", pattern)(left, right)


def equal(left: Type, right: Type) -> Helper:
    """`a == b`: every component."""
    pairs = zip(parts("a", left), parts("b", right), strict=True)
    return define(
        f"bool operator==({passed(left)} a, {passed(right)} b)",
        [f"return {' && '.join(f'{a} == {b}' for a, b in pairs)};"],
    )


def unequal(left: Type, right: Type) -> Helper:
    """`a != b`: some component."""

    return define(
        f"bool operator!=({passed(left)} a, {passed(right)} b)",
        ["return !(a == b);"],
        needs=(("operator==", (left, right)),),
    )


OPERATOR_HELPERS: dict[str, Callable[..., Helper]] = {
    "operator+": arithmetic("+"),
    "operator-": arithmetic("-"),
    "operator*": arithmetic("*"),
    "operator/": arithmetic("/"),
    "divide_approximately": divide_approximately,
    "operator%": modulo,
    "operator&": arithmetic("&"),
    "operator|": arithmetic("|"),
    "operator^": arithmetic("^"),
    "operator<<": arithmetic("<<"),
    "operator>>": arithmetic(">>"),
    "operator~": unary("operator~", "~a{0}"),
    "negation": unary("operator-", "-a{0}"),
    "operator+=": compound("+"),
    "operator-=": compound("-"),
    "operator*=": compound("*"),
    "operator/=": compound("/"),
    "operator==": equal,
    "operator!=": unequal,
}
