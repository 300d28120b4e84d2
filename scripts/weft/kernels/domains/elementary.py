"""Functions that formulas of several domains are made of."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.constants import INV_SQRT_TWO_PI, SQRT_HALF
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Literal


def sigmoid(x: Expr) -> Expr:
    """The logistic function."""
    return 1.0 / (1.0 + ops.exp(-x))


def _called(k: Builder, name: str, doc: str, x: Expr, body: Callable[[Builder, Expr], Expr]) -> Expr:
    """A function of one number, as a function of the program's or in its place."""
    if not k.once(f"{name} is a function", lambda: k.rng.chance(0.6)):
        return body(k, x)
    return k.function(name, doc, {"x": (x.type, Interval(-1e6, 1e6))}, body)(x)


def normal_cdf(k: Builder, x: Expr) -> Expr:
    """The distribution function of the standard normal distribution."""

    def body(_: Builder, x: Expr) -> Expr:
        return bounded(0.5 * (1.0 + ops.erf(x * SQRT_HALF)), 0.0, 1.0)

    return _called(k, "normal_cdf", "Evaluate the standard normal distribution function.", x, body)


def normal_pdf(k: Builder, x: Expr) -> Expr:
    """The density of the standard normal distribution."""

    def body(_: Builder, x: Expr) -> Expr:
        return INV_SQRT_TWO_PI * ops.exp(-0.5 * (x * x))

    return _called(k, "normal_pdf", "Evaluate the standard normal density.", x, body)


def square(k: Builder, x: Expr, name: str = "ratio") -> Expr:
    """A value, which gets a name, times itself."""
    named = k.let(name, x)
    return named * named


def softplus(x: Expr) -> Expr:
    """log(1 + eˣ), which does not overflow."""
    return ops.max(x, 0.0) + ops.log(1.0 + ops.exp(-ops.abs(x)))


def as_float(k: Builder, count: Expr) -> Expr:
    """A whole setting as a float: a number stays one."""
    return lift(float(count.value), k.real) if isinstance(count, Literal) else convert(k.real, count)
