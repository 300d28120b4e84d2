"""Kernels steered by scalar parameters: rates, limits, modes, time steps."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import finish, read, signal, threads, uniform
from weft.kernels.operators import ops

REVISION = 1
TEACHES = "scalar parameters of several types beside arrays: rates, limits, modes, strides"


def axpby(k: Builder) -> None:
    threads(k)
    x, y = signal(k, "x", -1.0, 1.0), read(k, "y", -1.0, 1.0)
    alpha, beta = k.scalar("alpha", k.real, uniform(-2.0, 2.0)), k.scalar("beta", k.real, uniform(-2.0, 2.0))
    finish(k, "z", alpha * x + beta * y, "Linear combination of two arrays")


def remap_range(k: Builder) -> None:
    threads(k)
    value = signal(k, "value", 0.0, 1.0)
    low, high = k.scalar("low", k.real, uniform(-2.0, -1.0)), k.scalar("high", k.real, uniform(1.0, 3.0))
    power = k.scalar("gamma", k.real, uniform(0.5, 2.5))
    unit = k.let("unit", ops.clamp(value, 0.01, 1.0))
    finish(
        k, "mapped", low + (high - low) * ops.pow(unit, power), "Values mapped to a range with a gamma curve"
    )
