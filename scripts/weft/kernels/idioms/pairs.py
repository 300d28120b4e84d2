"""Vectors that idioms of several categories start from."""

from __future__ import annotations

from weft.kernels.expressions import construct
from weft.kernels.program import Expr
from weft.types import Vector


def zero(space: Vector) -> Expr:
    """The vector of zeros."""
    return construct(space, *[0.0] * space.length)
