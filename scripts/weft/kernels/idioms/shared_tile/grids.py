"""Launches of a block for each tile."""

from weft.kernels.builder import Builder
from weft.kernels.program import Expr


def tile_grid(k: Builder, rows: int, columns: int) -> tuple[Expr, Expr]:
    """A block for each tile of a matrix of so many rows and columns a tile."""
    down, across = k.rng.pick(("tile_rows", "tile_columns"), ("row_tiles", "column_tiles"))
    k.sizes[down], k.sizes[across] = (
        k.rng.pick("(n + 63) // 64", "min((n + 15) // 16, 20)", "min((n + 31) // 32, 300)"),
        k.rng.pick("2", "3", "4"),
    )
    i, j = k.blocks(
        [down, across], k.rng.pick(("i", "j"), ("row", "column"), ("by", "bx")), k.rng.pick(32, 64, 64, 128)
    )
    return i, j
