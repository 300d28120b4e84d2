"""Indices that threads read, and the sizes of what they index."""

from weft.kernels.builder import Builder
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.vocabulary import plural


def own_index(k: Builder, name: str, size: str, *, gaps: bool = False) -> Expr:
    """This thread's index into something of `size` elements; with gaps, -1 means none."""
    array = name if name.endswith("_of") else plural(name)
    return k.array(array, I32, k.shape, {"integers": [-1 if gaps else 0, size]})[k.index]


def named_count(k: Builder, name: str) -> str:
    """A named number of elements that grows with n in one way or another."""
    k.sizes[name] = k.rng.pick("n", "max(n // 2, 1)", "(n + 3) // 4", "2 * n", "64")
    return name
