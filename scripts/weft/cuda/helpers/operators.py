"""Operators on vectors, matrices, quaternions and transforms, which CUDA has none of."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers import matrices
from weft.cuda.helpers.files import FILE_HELPERS
from weft.cuda.helpers.text import Helper, function, math_call, parts, passed, scalar_of
from weft.cuda.helpers.vectors import componentwise, elementwise, unary
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def with_scalar(operator: str) -> Callable[[Type, Type], Helper]:
    """`a * s`, `s * a`, `a / s`, `s / a`. As in Warp, s * a is computed as a * s."""

    def helper(left: Type, right: Type) -> Helper:
        scalar_first = isinstance(left, Scalar)
        kind, scalar = (right, left) if scalar_first else (left, right)
        name = f"operator{operator}"
        parameters = [(passed(kind), "a"), (c_type(scalar), "s")]
        pattern = f"a{{0}} {operator} s"
        if scalar_first:
            parameters.reverse()
            if operator == "*":
                return Helper(
                    function(c_type(kind), name, parameters, ["return a * s;"]),
                    (("operator*", (right, left)),),
                )
            pattern = f"s {operator} a{{0}}"
        return Helper(elementwise(kind, name, parameters, pattern))

    return helper


def divide_approximately(left: Type, right: Type) -> Helper:
    """Warp: div_approx of a compound value and a float, in either order."""
    scalar_first = isinstance(left, Scalar)
    kind = right if scalar_first else left
    parameters = (
        [("float", "s"), (passed(kind), "a")] if scalar_first else [(passed(kind), "a"), ("float", "s")]
    )
    pattern = "__fdividef(s, a{0})" if scalar_first else "__fdividef(a{0}, s)"
    return Helper(elementwise(kind, "divide_approximately", parameters, pattern))


def compound(operator: str) -> Callable[[Type, Type], Helper]:
    """`a += b` by way of `a + b`."""

    def helper(left: Type, right: Type) -> Helper:
        parameters = [(f"{c_type(left)}&", "a"), (passed(right), "b")]
        text = function(
            f"{c_type(left)}&", f"operator{operator}=", parameters, [f"return a = a {operator} b;"]
        )
        return Helper(text, ((f"operator{operator}", (left, right)),))

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
    if scalar.is_float:
        pattern = math_call("fmod", scalar, "a{0}", "b{0}")
        return Helper(elementwise(left, "operator%", [(passed(left), "a"), (passed(left), "b")], pattern))
    return componentwise("operator%", "a{0} % b{0}")(left, right)


def equal(left: Type, right: Type) -> Helper:
    """`a == b`: every component."""
    parameters = [(passed(left), "a"), (passed(right), "b")]
    pairs = zip(parts("a", left), parts("b", right), strict=True)
    return Helper(
        function(
            "bool", "operator==", parameters, [f"return {' && '.join(f'{a} == {b}' for a, b in pairs)};"]
        )
    )


def unequal(left: Type, right: Type) -> Helper:
    """`a != b`: some component."""
    parameters = [(passed(left), "a"), (passed(right), "b")]
    text = function("bool", "operator!=", parameters, ["return !(a == b);"])
    return Helper(text, (("operator==", (left, right)),))


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
