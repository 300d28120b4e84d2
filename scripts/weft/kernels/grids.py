"""How a launch covers the elements: a thread for each, on a line or on a grid of realistic extents."""

from __future__ import annotations

from collections.abc import Mapping

from weft.kernels.builder import Builder
from weft.kernels.formulas import Grid
from weft.kernels.program import Expr

GRIDS: dict[int, tuple[Grid, ...]] = {
    2: (
        (("i", "rows", "min(n // 24 + 1, n // 448 + 45)"), ("j", "cols", "min(n // 4 + 5, n // 224 + 21)")),
        (("y", "height", "min(n // 28 + 2, n // 330 + 37)"), ("x", "width", "min(n // 4 + 6, n // 260 + 27)")),
        (("row", "rows", "min(n // 8 + 1, n // 256 + 13)"), ("col", "cols", "min(n // 16 + 2, n // 300 + 61)")),
        (("y", "height", "min(n // 30 + 1, n // 290 + 31)"), ("x", "width", "min(n // 4 + 7, n // 210 + 33)")),
        (("j", "ny", "min(n // 20 + 3, n // 350 + 33)"), ("i", "nx", "min(n // 4 + 5, n // 240 + 30)")),
    ),
    3: (
        (
            ("i", "nx", "min(n // 8 + 3, n // 2048 + 9)"),
            ("j", "ny", "min(n // 10 + 4, n // 2400 + 8)"),
            ("k", "nz", "min(n // 64 + 1, n // 2500 + 13)"),
        ),
        (
            ("z", "depth", "min(n // 80 + 2, n // 2700 + 11)"),
            ("y", "height", "min(n // 16 + 3, n // 2100 + 7)"),
            ("x", "width", "min(n // 8 + 4, n // 1900 + 11)"),
        ),
        (
            ("k", "nz", "min(n // 90 + 1, n // 2300 + 12)"),
            ("j", "ny", "min(n // 11 + 2, n // 2200 + 9)"),
            ("i", "nx", "min(n // 8 + 5, n // 1800 + 10)"),
        ),
    ),
    4: (
        (
            ("b", "batch", "min(n // 400 + 1, 4)"),
            ("c", "channels", "3"),
            ("y", "height", "min(n // 8 + 3, n // 900 + 7)"),
            ("x", "width", "min(n // 16 + 4, n // 1000 + 9)"),
        ),
        (
            ("b", "batch", "min(n // 512 + 1, 3)"),
            ("y", "height", "min(n // 16 + 1, n // 1600 + 5)"),
            ("x", "width", "min(n // 8 + 2, n // 1400 + 7)"),
            ("c", "channels", "8"),
        ),
    ),
}
"""What grids of some rank may be: about as wide as high, of n elements in all, and odd extents for most n."""


def threads(
    k: Builder,
    *dimensions: int,
    name: str = "i",
    plain: bool = False,
    grids: Mapping[int, tuple[Grid, ...]] = GRIDS,
) -> tuple[Expr, ...]:
    """One thread for each element of a grid of one of these ranks (drawn from 1 to 4 if none is given).

    Elements on a line may be visited by a grid-stride loop, unless `plain`.
    """
    allowed = dimensions or (1, 2, 3, 4)
    ranks = {one: weight for one, weight in k.policy.dimensions.items() if one in allowed}
    rank = k.rng.weighted(ranks) if ranks else k.rng.pick(*allowed)
    if rank == 1:
        k.axes = (name,)
        k.walks = not plain and k.rng.chance(k.policy.grid_stride)
        return k.threads(["n"], k.axes)
    choices = grids.get(rank, GRIDS[rank])
    grid = k.once(f"grid of {rank} dimensions", lambda: k.rng.pick(*choices))
    for _, size, value in grid:
        k.sizes[size] = value
    k.axes = tuple(index for index, _, _ in grid)
    return k.threads([size for _, size, _ in grid], k.axes)
