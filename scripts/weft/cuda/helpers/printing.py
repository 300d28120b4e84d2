"""Helpers that print: values of several components, and checks that report what they did not expect."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.helpers.text import Helper, define, math_function, parts, passed, scalar_of
from weft.types import Matrix, Scalar, Type


def scalar_format(scalar: Scalar) -> str:
    """The `printf` format of a number."""
    if scalar.is_float:
        return "%g"
    if scalar.bytes == 8:
        return "%llu" if scalar.is_unsigned else "%lld"
    return "%u" if scalar.is_unsigned else "%d"


def printable(value: str, scalar: Scalar) -> str:
    """A number as `printf` takes it."""
    if scalar.name in ("float16", "bfloat16"):
        return f"float({value})"
    if scalar.bytes == 8 and not scalar.is_float:
        return f"static_cast<{'unsigned ' if scalar.is_unsigned else ''}long long>({value})"
    return value


def print_value(type: Type) -> Helper:
    """Warp: print of a vector, matrix, quaternion or transform."""
    scalar = scalar_of(type)
    # Warp prints components of integers as numbers with a point, too.
    shown = [_as_float(part, scalar) for part in parts("a", type)]
    per_line = type.columns if isinstance(type, Matrix) else len(shown)
    line = "%g " * per_line + "\\n"
    body = [f'printf("{line * (len(shown) // per_line)}", {", ".join(shown)});']
    return define(f"void print({passed(type)} a)", body)


def _as_float(value: str, scalar: Scalar) -> str:
    return value if scalar.name in ("float32", "float64") else f"float({value})"


def expectation(name: str, operator: str, words: str) -> Callable[[Type, Type], Helper]:
    """Warp: expect_eq and expect_neq, which report on standard output and go on."""

    def helper(type: Type, other: Type) -> Helper:
        test = "actual == expected" if operator == "!=" else "!(actual == expected)"
        body = [f"if ({test}) {_report(words, type)}"]
        needs = () if isinstance(type, Scalar) else (("operator==", (type, type)),)
        return define(f"void {name}({passed(type)} actual, {passed(type)} expected)", body, needs=needs)

    return helper


def _report(words: str, type: Type) -> str:
    scalar = scalar_of(type)
    form = " ".join([scalar_format(scalar)] * len(parts("a", type)))
    values = [printable(part, scalar) for name in ("expected", "actual") for part in parts(name, type)]
    return f'printf("{words} {form}, got {form}\\n", {", ".join(values)});'


def expect_near(type: Type, other: Type, tolerance: Type) -> Helper:
    """Warp: expect_near. The largest difference of a component counts."""
    scalar = scalar_of(type)
    absolute, largest = math_function("fabs", scalar), math_function("fmax", scalar)
    differences = [
        f"{absolute}({a} - {b})" for a, b in zip(parts("actual", type), parts("expected", type), strict=True)
    ]
    value = differences[0]
    for difference in differences[1:]:
        value = f"{largest}({value}, {difference})"
    body = [f"if ({value} > tolerance) {_report('expected about', type)}"]
    return define(
        f"void expect_near({passed(type)} actual, {passed(type)} expected, {passed(scalar)} tolerance)", body
    )


PRINTING_HELPERS: dict[str, Callable[..., Helper]] = {
    "print_value": print_value,
    "expect_equal": expectation("expect_equal", "==", "expected"),
    "expect_different": expectation("expect_different", "!=", "expected anything but"),
    "expect_near": expect_near,
}
