"""Numbers whose sums do not depend on their order."""

from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.types import I32, I64
from weft.types import Scalar


def drawn_numbers(k: Builder) -> tuple[Scalar, dict[str, Any]]:
    """A type of numbers to add up, and their recipe."""
    kind: Scalar = k.rng.pick(k.real, k.real, I32, I64)
    return kind, {"integers": [-5, 9]} if kind.is_integer else uniform(-1.0, 1.0)
