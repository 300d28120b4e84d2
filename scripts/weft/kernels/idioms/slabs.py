"""Blocks of threads for each of a number of things."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.program import Expr
from weft.kernels.words import plural

BLOCKS = ("(n + 15) // 16", "(n + 31) // 32", "(n + 63) // 64", "min(n, 100)", "min((n + 1) // 2, 130)")


def launch(k: Builder, name: str, *, lane: bool = False, width: int | None = None) -> Expr:
    """One block for each of a number of things; `lane` names the thread's place in it."""
    size = plural(name)
    k.sizes[size] = k.rng.pick(*BLOCKS)
    block_dim = width or k.rng.pick(32, 64, 64, 128)
    place = k.rng.pick("lane", "thread", "t") if lane else None
    index: Expr
    (index,) = k.blocks([size], [k.rng.pick(name, name[0], "block")], block_dim, place)
    return index


def single(tile: Expr) -> Expr:
    """The only element of a tile of one."""
    return tile[0]
