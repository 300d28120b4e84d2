"""Rules for what kernels print: Warp writes to standard output and goes on."""

from __future__ import annotations

from weft.cuda.helpers.printing import scalar_format
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Rule, UnsupportedError, Use, listed
from weft.cuda.tree import BOOL, FLOAT, INT, Call, Cast, Conditional, Expression, Literal
from weft.intrinsics import Effect
from weft.types import Matrix, Quaternion, Scalar, Transform, Vector

_COMPOUND = (Vector, Matrix, Quaternion, Transform)


def print_format(use: Use) -> Expression:
    """wp.printf."""
    form, *values = use.arguments
    if not all(isinstance(value.type, Scalar) for value in values):
        raise UnsupportedError(f"wp.printf of {listed([v.type for v in values])}: print components")
    return _print(form, *(_passed(value) for value in values))


def print_line(use: Use) -> Expression:
    """print of one value and a line's end."""
    (value,) = use.arguments
    if isinstance(value, Literal) and isinstance(value.value, str):
        return _print(_text(value.value.replace("%", "%%") + "\n"))
    if value.type == BOOL:
        return _print(Conditional(INT, value, _text("True\n"), _text("False\n")))
    if isinstance(value.type, Scalar):
        return _print(_text(scalar_format(value.type) + "\n"), _passed(value))
    if isinstance(value.type, _COMPOUND):
        return Call(INT, "print", [value], ("print_value", (value.type,)), effect=Effect.PRINTS)
    raise UnsupportedError(f"print of {value.type} is not supported: print its parts")


def expect(name: str) -> Rule:
    """A check that reports what it did not expect."""

    def rule(use: Use) -> Expression:
        if not all(isinstance(kind, Scalar | Vector | Matrix | Quaternion | Transform) for kind in use.types):
            raise UnsupportedError(f"wp.{use.name} of {listed(use.types)} is not supported: compare parts")
        arguments = list(use.arguments)
        if name == "expect_near" and len(arguments) == 2:
            arguments.append(Literal(scalar_of(use.types[0]), 1e-6))
        types = tuple(argument.type for argument in arguments)
        return Call(INT, name, arguments, (name, types), effect=Effect.PRINTS)

    return rule


def _print(*arguments: Expression) -> Call:
    return Call(INT, "printf", list(arguments), effect=Effect.PRINTS)


def _text(text: str) -> Literal:
    return Literal(INT, text)


def _passed(value: Expression) -> Expression:
    """A number as a variable argument takes it."""
    kind = value.type
    assert isinstance(kind, Scalar)
    if kind.name in ("float16", "bfloat16"):
        return Cast(FLOAT, value)
    if kind.is_integer and kind.bytes == 8:
        wide = "unsigned long long" if kind.is_unsigned else "long long"
        return Call(kind, f"static_cast<{wide}>", [value])
    return value
