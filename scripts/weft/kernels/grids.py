"""How a launch covers the elements: a thread for each, on a line or on a grid of realistic extents."""

from __future__ import annotations

from collections.abc import Mapping

from weft.kernels.builder import Builder
from weft.kernels.formulas import Grid
from weft.kernels.program import Expr

GRIDS: dict[int, tuple[Grid, ...]] = {
    2: (
        (("i", "rows", "(n + 63) // 64"), ("j", "cols", "min(n // 2 + 8, 64)")),
        (("y", "height", "(n + 95) // 96"), ("x", "width", "min(n // 2 + 9, 96)")),
        (("row", "rows", "(n + 36) // 37"), ("col", "cols", "min(n // 2 + 6, 37)")),
        (("y", "height", "min(n // 2 + 5, 48)"), ("x", "width", "(n + 47) // 48")),
        (("j", "ny", "(n + 60) // 61"), ("i", "nx", "min(n // 2 + 7, 61)")),
    ),
    3: (
        (
            ("i", "nx", "(n + 255) // 256"),
            ("j", "ny", "min(n // 8 + 5, 16)"),
            ("k", "nz", "min(n // 4 + 4, 16)"),
        ),
        (
            ("z", "depth", "min(n // 9 + 2, 8)"),
            ("y", "height", "(n + 199) // 200"),
            ("x", "width", "min(n // 3 + 4, 25)"),
        ),
        (
            ("k", "nz", "(n + 383) // 384"),
            ("j", "ny", "min(n // 8 + 3, 12)"),
            ("i", "nx", "min(n // 4 + 6, 32)"),
        ),
    ),
    4: (
        (
            ("b", "batch", "3"),
            ("c", "channels", "3"),
            ("y", "height", "(n + 167) // 168"),
            ("x", "width", "min(n // 3 + 4, 28)"),
        ),
        (
            ("b", "batch", "3"),
            ("y", "height", "(n + 255) // 256"),
            ("x", "width", "min(n // 4 + 5, 16)"),
            ("c", "channels", "8"),
        ),
    ),
}
"""What grids of some rank may be."""


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
