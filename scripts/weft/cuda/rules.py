"""Rules for Warp's builtins: how a call becomes an expression of the tree.

A rule takes a `Use`, the translated arguments and Warp's types. Most rules are made by a function of this
module; `builtins` lists them by name. Rules raise UnsupportedError for overloads that they do not cover.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from weft.cuda.c_types import HALVES
from weft.cuda.helpers.text import math_function
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Expression,
    Extent,
    Literal,
    Unary,
)
from weft.intrinsics import Effect
from weft.types import Array, Matrix, Quaternion, Scalar, Transform, Type, Vector


class UnsupportedError(Exception):
    """A use of a builtin that has no translation; the message says which and what would work."""


@dataclasses.dataclass(frozen=True)
class Use:
    """A call of a builtin: its name, translated arguments, and the type of its result, if any.

    `names` are the parameters of the arguments where the call has keywords.
    """

    name: str
    arguments: list[Expression]
    result: Type | None
    names: tuple[str, ...] = ()

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple(argument.type for argument in self.arguments)

    @property
    def value(self) -> Type:
        """The result's type. Raises UnsupportedError for builtins that give no single value here."""
        if self.result is None:
            raise UnsupportedError(f"wp.{self.name} gives no value here")
        return self.result


Rule = Callable[[Use], Expression]


def _is_float(type: Type) -> bool:
    return isinstance(type, Scalar) and type.is_float


def _is_half(type: Type) -> bool:
    return isinstance(type, Scalar) and type.name in HALVES


def use_helper(use: Use, name: str, key: str | None = None, types: Sequence[Type] | None = None) -> Call:
    """A call of the helper `key`, whose C++ name is `name`, for the types of the arguments."""
    request = (key or name, tuple(use.types if types is None else types))
    return Call(use.value, name, list(use.arguments), request)


def c_math(single: str, double: str | None = None) -> Rule:
    """C's function of floats: `sinf` for float, `sin` for double; halves are computed as float."""

    def rule(use: Use) -> Expression:
        if not all(_is_float(kind) for kind in use.types):
            raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported: use floats")
        if _is_half(use.types[0]):
            arguments: list[Expression] = [Cast(FLOAT, argument) for argument in use.arguments]
            return Cast(use.value, Call(FLOAT, single, arguments))
        name = single if use.types[0] == FLOAT else double or single.removesuffix("f")
        return Call(use.value, name, list(use.arguments))

    return rule


def listed(types: Sequence[Type]) -> str:
    """Types in a message."""
    return ", ".join(map(str, types))


def scalar_helper(name: str, floats_only: bool = False) -> Rule:
    """A helper on scalars."""

    def rule(use: Use) -> Expression:
        kinds = [isinstance(kind, Scalar) and (not floats_only or _is_float(kind)) for kind in use.types]
        if not all(kinds):
            raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported")
        return use_helper(use, name)

    return rule


def helper(name: str, *kinds: type) -> Rule:
    """A helper on vectors, matrices, quaternions; `kinds` are allowed for the first argument."""

    def rule(use: Use) -> Expression:
        if kinds and not isinstance(use.types[0], kinds):
            raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported")
        return use_helper(use, name)

    return rule


def by_kind(scalar: Rule, compound: Rule) -> Rule:
    """One rule for scalars, another for vectors and the like (decided by the first argument)."""
    return lambda use: scalar(use) if isinstance(use.types[0], Scalar) else compound(use)


def operator(symbol: str) -> Rule:
    """A binary operator written as a function."""
    return lambda use: binary(symbol, use.arguments[0], use.arguments[1], use.value)


def binary(symbol: str, left: Expression, right: Expression, result: Type) -> Expression:
    """`left symbol right` with Warp's meaning, Python's symbols included (`//`, `**`, `@`)."""
    scalars = isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
    if symbol == "@":
        symbol = "*"
    if symbol == "**":
        return c_math("powf")(Use("pow", [left, right], result))
    if symbol == "//":
        return _floor_division(left, right, result)
    if symbol == "%" and scalars and _is_float(left.type):
        return c_math("fmodf")(Use("mod", [left, right], result))
    if not scalars:
        _require_algebra(symbol, left.type, right.type)
    return Binary(result, symbol, left, right)


def _require_algebra(symbol: str, left: Type, right: Type) -> None:
    kinds = (Scalar, Vector, Matrix, Quaternion, Transform)
    if not isinstance(left, kinds) or not isinstance(right, kinds):
        raise UnsupportedError(f"`{symbol}` between {left} and {right} is not supported")
    transforms = isinstance(left, Transform) or isinstance(right, Transform)
    if transforms and symbol not in ("+", "-", "*"):
        raise UnsupportedError(f"`{symbol}` between {left} and {right} is not supported")
    if isinstance(left, Scalar) ^ isinstance(right, Scalar) and symbol not in ("*", "/"):
        raise UnsupportedError(f"`{symbol}` between {left} and {right} is not supported")


def _floor_division(left: Expression, right: Expression, result: Type) -> Expression:
    if not isinstance(left.type, Scalar):
        raise UnsupportedError(f"`//` of {left.type} is not supported")
    if _is_float(left.type):
        return c_math("floorf")(Use("floordiv", [Binary(result, "/", left, right)], result))
    if left.type.is_unsigned:
        return Binary(result, "/", left, right)
    return Call(result, "floor_divide", [left, right], ("floor_divide", (left.type, right.type)))


def negative(use: Use) -> Expression:
    """Warp computes the negative of a scalar as 0 - x, which keeps zero positive; of a vector as -x."""
    return negation(use.arguments[0])


def negation(operand: Expression) -> Expression:
    """Unary minus of an expression that is not a literal."""
    if isinstance(operand.type, Scalar) and operand.type.is_float:
        return Binary(operand.type, "-", Literal(operand.type, 0.0), operand, negates=True)
    return Unary(operand.type, "-", operand)


def extreme(name: str) -> Rule:
    """min and max: of scalars, of two vectors by component, over the components of one vector."""

    def rule(use: Use) -> Expression:
        first = use.types[0]
        if isinstance(first, Scalar):
            if first.bytes < 4 and not first.is_float:
                # CUDA's min and max take int and wider.
                return Cast(use.value, Call(INT, name, [Cast(INT, argument) for argument in use.arguments]))
            return Call(use.value, math_function(f"f{name}", first), list(use.arguments))
        if len(use.arguments) == 1 and isinstance(first, Vector):
            return use_helper(use, f"{name}_component")
        if isinstance(first, Vector):
            return use_helper(use, f"{name}_components")
        raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported")

    return rule


def clamp(use: Use) -> Expression:
    """Warp: min(max(low, x), high), where the order matters for zeros alone."""
    x, low, high = use.arguments
    if not isinstance(x.type, Scalar):
        raise UnsupportedError(f"wp.clamp of {x.type} is not supported: clamp its components")
    either = not x.type.is_float or (isinstance(low, Literal) and low.value)
    ordered = [x, low] if either else [low, x]
    inner = extreme("max")(Use("max", ordered, use.value))
    return extreme("min")(Use("min", [inner, high], use.value))


def arc(use: Use) -> Expression:
    """acos and asin: Warp clamps what they take, which the text need not do as well."""
    match use.arguments:
        case [
            Call(
                function="fminf" | "fmin",
                arguments=[
                    Call(function="fmaxf" | "fmax", arguments=[x, Literal(value=-1.0)]),
                    Literal(value=1.0),
                ],
            )
        ]:
            use = dataclasses.replace(use, arguments=[x])
    return scalar_helper(f"{use.name}_clamped", floats_only=True)(use)


def absolute(use: Use) -> Expression:
    """abs of scalars and vectors."""
    (x,) = use.arguments
    if not isinstance(x.type, Scalar):
        return helper("abs_components", Vector)(use)
    if x.type.is_unsigned:
        return x
    if x.type.bytes < 4 and not x.type.is_float:
        return Cast(use.value, Call(INT, "abs", [x]))
    return Call(use.value, math_function("fabs", x.type), [x])


def predicate(name: str, compound: str) -> Rule:
    """isfinite, isnan and isinf."""

    def rule(use: Use) -> Expression:
        (x,) = use.arguments
        if not isinstance(x.type, Scalar):
            return helper(compound, Vector, Matrix, Quaternion)(use)
        if not _is_float(x.type):
            return Literal(BOOL, name == "isfinite")
        return Call(BOOL, name, [Cast(FLOAT, x) if _is_half(x.type) else x])

    return rule


def where(use: Use) -> Expression:
    """Both sides are values already, so `?:` gives the same; side effects in them are moved out first."""
    test, then, otherwise = use.arguments
    return Conditional(use.value, test, then, otherwise, eager=True)


def cast(use: Use) -> Expression:
    """`float(x)`, `wp.int64(x)`."""
    if not use.arguments:
        return Literal(use.value, 0)
    (x,) = use.arguments
    if not isinstance(x.type, Scalar) or not isinstance(use.value, Scalar):
        raise UnsupportedError(f"conversion of {x.type} to {use.value} is not supported")
    if x.type == use.value:
        return x
    if use.value == BOOL:
        return Binary(BOOL, "!=", x, Literal(x.type, 0))
    if (_is_half(use.value) or _is_half(x.type)) and FLOAT not in (x.type, use.value):
        x = Cast(FLOAT, x)
    return Cast(use.value, x)


def reinterpret(use: Use) -> Expression:
    """wp.cast: the same bits as another type of the same width."""
    (x,) = use.arguments
    if not isinstance(x.type, Scalar) or not isinstance(use.value, Scalar) or BOOL in (x.type, use.value):
        raise UnsupportedError(f"wp.cast of {x.type} to {use.value} is not supported: cast components")
    if x.type == use.value:
        return x
    # CUDA has no such functions for unsigned integers of 64 bits.
    unsigned = x.type.bytes < 8 and (x.type.is_unsigned or use.value.is_unsigned)
    word = Scalar(f"{'u' * unsigned}int{8 * x.type.bytes}")
    if x.type.is_float:
        kind, integer = _BITS[x.type.name]
        x = Call(word, f"__{kind}_as_{'u' * unsigned}{integer}", [x])
    if not use.value.is_float:
        return x if x.type == use.value else Cast(use.value, x)
    kind, integer = _BITS[use.value.name]
    function = f"__{'u' * unsigned}{integer}_as_{kind}"
    return Call(use.value, function, [x if x.type == word else Cast(word, x)])


_BITS = {
    "float16": ("half", "short"),
    "bfloat16": ("bfloat16", "short"),
    "float32": ("float", "int"),
    "float64": ("double", "longlong"),
}
"""What CUDA calls a type, and an integer of its size, in the names of functions that take its bits."""


def length_of(use: Use) -> Expression:
    """len of an array, vector or matrix."""
    (x,) = use.arguments
    match x.type:
        case Array():
            return Extent(INT, x, 0)
        case Vector(length, _):
            return Literal(INT, length)
        case Matrix(rows, _, _):
            return Literal(INT, rows)
        case Quaternion():
            return Literal(INT, 4)
        case _:
            raise UnsupportedError(f"len of {x.type} is not supported")


def random(stem: str, name: str, key: str | None = None) -> Rule:
    """A random number: changes the state, its first argument."""

    def rule(use: Use) -> Expression:
        two = len(use.arguments) == 3
        request = f"{key or name}_between" if two else key or name
        return Call(use.value, name, list(use.arguments), (request, ()), Effect.RANDOM, stem)

    return rule


def random_state(use: Use) -> Expression:
    """wp.rand_init."""
    key = "random_state" if len(use.arguments) == 1 else "random_state_at"
    return Call(use.value, "random_state", list(use.arguments), (key, ()))


def bit_count(use: Use) -> Expression:
    """CUDA's population count; narrow signed numbers are not sign-extended."""
    (x,) = use.arguments
    assert isinstance(x.type, Scalar)
    if x.type.bytes == 8:
        return Call(INT, "__popcll", [x])
    if x.type.bytes < 4 and x.type.is_signed:
        x = Cast(Scalar("u" + x.type.name), x)
    return Call(INT, "__popc", [x])


def dynamic_component(value: Expression, index: Expression, scalar: Scalar) -> Expression:
    """`v[i]` where i is known at run time only."""
    if isinstance(value.type, Vector) and value.type.length > 4:
        return Component(scalar, value, ".v", [index])
    return Call(scalar, "component", [value, index], ("component", (value.type,)))


def transform_by(matrix_name: str, transform_name: str) -> Rule:
    """transform_point and transform_vector by a matrix or a transform."""

    def rule(use: Use) -> Expression:
        if isinstance(use.types[0], Matrix):
            return use_helper(use, matrix_name)
        return use_helper(use, transform_name.removesuffix("_by"), transform_name)

    return rule
