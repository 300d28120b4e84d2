"""Functions that formulas of several domains are made of."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.program import Expr, Literal


def sigmoid(x: Expr) -> Expr:
    """The logistic function."""
    return 1.0 / (1.0 + ops.exp(-x))


def normal_cdf(x: Expr) -> Expr:
    """The distribution function of the standard normal distribution."""
    return bounded(0.5 * (1.0 + ops.erf(x * 0.70710678)), 0.0, 1.0)


def normal_pdf(x: Expr) -> Expr:
    """The density of the standard normal distribution."""
    return 0.39894228 * ops.exp(-0.5 * (x * x))


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
