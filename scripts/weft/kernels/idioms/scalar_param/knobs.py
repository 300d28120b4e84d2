"""Parameters that are passed by value."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.program import Name


def knob(k: Builder, name: str, low: float, high: float) -> Name:
    """A float parameter."""
    return k.scalar(name, k.real, uniform(low, high))
