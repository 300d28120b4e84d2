"""Entries of matrices, inner dimensions, and the usual forms of a product."""

from weft.kernels.builder import Builder
from weft.kernels.program import Expr


def inner_width(k: Builder, name: str, *choices: int) -> tuple[str, Expr | int]:
    """An inner dimension: its name as a size, and how the loop writes it."""
    k.sizes[name] = str(k.rng.pick(*choices))
    return name, k.size(name, name) if k.rng.chance(0.5) else int(k.sizes[name])
