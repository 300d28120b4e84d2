"""Smooth responses of one number, each in the domain of its function."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import ops
from weft.kernels.program import Expr


def curve(k: Builder, x: Expr) -> tuple[Expr, str]:
    """A smooth response to x, in the domain of its function, and its name."""
    span = x.interval
    options = ["tanh", "rational", "sine", "bell", "lorentz", "square", "soft", "atan"]
    if span.within(0.0, 1e4):
        options += ["root", "log", "saturating", "decay"] * 2
    if span.within(-20.0, 20.0):
        options += ["sigmoid", "cosine", "softplus"]
    if span.within(-3.0, 3.0):
        options += ["cubic", "exponential"]
    match k.rng.pick(*options):
        case "tanh":
            return ops.tanh(x), "tanh"
        case "rational":
            return x / (1.0 + ops.abs(x)), "softsign"
        case "sine":
            if not span.within(-100.0, 100.0):
                return ops.atan(x), "arctangent"
            return ops.sin(x), "sine"
        case "cosine":
            return 0.5 * (1.0 - ops.cos(x)), "raised cosine"
        case "bell":
            if span.magnitude > 8.0:
                return 1.0 / (1.0 + x * x), "Lorentzian"
            return ops.exp(-(x * x)), "Gaussian"
        case "lorentz":
            return 1.0 / (1.0 + x * x), "Lorentzian"
        case "square":
            if span.magnitude > 1e6:
                return ops.tanh(x), "tanh"
            return x * x, "square"
        case "soft":
            if span.magnitude > 1e6:
                return ops.tanh(x), "tanh"
            return ops.sqrt(x * x + k.rng.number(0.01, 0.5)), "soft absolute value"
        case "atan":
            return ops.atan(x), "arctangent"
        case "root":
            return ops.sqrt(x), "square root"
        case "log":
            return ops.log(1.0 + x), "logarithm"
        case "saturating":
            return x / (x + k.rng.number(0.2, 2.0)), "saturation"
        case "decay":
            if span.hi > 30.0:
                return 1.0 / (1.0 + x), "hyperbolic decay"
            return 1.0 - ops.exp(-x), "exponential approach"
        case "sigmoid":
            return 1.0 / (1.0 + ops.exp(-x)), "logistic function"
        case "softplus":
            return ops.log(1.0 + ops.exp(x)), "softplus"
        case "cubic":
            return x * (1.0 - x * x * k.rng.number(0.1, 0.3)), "cubic"
        case _:
            return ops.exp(x) - 1.0, "exponential"
