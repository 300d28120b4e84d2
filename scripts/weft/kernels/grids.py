"""How a launch covers the elements: a thread for each, on a line or on a grid of realistic extents."""

from __future__ import annotations

from collections.abc import Mapping

from weft.kernels.builder import Builder
from weft.kernels.formulas import Grid
from weft.kernels.program import Expr

GRIDS: dict[int, tuple[Grid, ...]] = {
    2: (
        (("i", "rows", "min(n // 32 + 1, n // 256 + 27)"), ("j", "cols", "min(n // 40 + 9, 251)")),
        (("y", "height", "min(n // 30 + 2, n // 300 + 29)"), ("x", "width", "min(n // 32 + 11, 255)")),
        (("row", "rows", "min(n // 24 + 1, n // 280 + 33)"), ("col", "cols", "min(n // 48 + 7, 243)")),
        (("y", "height", "min(n // 28 + 1, n // 320 + 35)"), ("x", "width", "min(n // 36 + 13, 253)")),
        (("j", "ny", "min(n // 26 + 3, n // 290 + 31)"), ("i", "nx", "min(n // 44 + 10, 249)")),
    ),
    3: (
        (
            ("i", "nx", "min(n // 200 + 6, 43)"),
            ("j", "ny", "min(n // 150 + 4, 39)"),
            ("k", "nz", "min(n // 30 + 1, n // 2048 + 8)"),
        ),
        (
            ("z", "depth", "min(n // 31 + 1, n // 2048 + 9)"),
            ("y", "height", "min(n // 180 + 5, 41)"),
            ("x", "width", "min(n // 160 + 7, 45)"),
        ),
        (
            ("k", "nz", "min(n // 32 + 2, n // 1900 + 7)"),
            ("j", "ny", "min(n // 170 + 3, 37)"),
            ("i", "nx", "min(n // 125 + 6, 47)"),
        ),
    ),
    4: (
        (
            ("b", "batch", "min(n // 400 + 1, 4)"),
            ("c", "channels", "3"),
            ("y", "height", "min(n // 30 + 2, n // 1024 + 9)"),
            ("x", "width", "min(n // 90 + 5, 67)"),
        ),
        (
            ("b", "batch", "min(n // 512 + 1, 3)"),
            ("y", "height", "min(n // 30 + 2, n // 2048 + 7)"),
            ("x", "width", "min(n // 120 + 4, 61)"),
            ("c", "channels", "8"),
        ),
    ),
}
"""What grids of some rank may be: about as wide as high, of n elements in all, and odd extents for most n."""


def threads(
    k: Builder,
    *dimensions: int,
    name: str = "i",
    grids: Mapping[int, tuple[Grid, ...]] = GRIDS,
    size: str = "n",
) -> tuple[Expr, ...]:
    """One thread for each element of a grid of one of these ranks (drawn from 1 to 4 if none is given), of
    which a line has this size.
    """
    allowed = dimensions or (1, 2, 3, 4)
    ranks = {one: weight for one, weight in k.policy.dimensions.items() if one in allowed}
    rank = k.rng.weighted(ranks) if ranks else k.rng.pick(*allowed)
    if rank == 1:
        k.axes = (name,)
        return k.threads([size], k.axes)
    choices = grids.get(rank, GRIDS[rank])
    grid = k.once(f"grid of {rank} dimensions", lambda: k.rng.pick(*choices))
    for _, size, value in grid:
        k.sizes[size] = value
    k.axes = tuple(index for index, _, _ in grid)
    return k.threads([size for _, size, _ in grid], k.axes)
