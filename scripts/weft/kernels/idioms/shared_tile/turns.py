"""Matrices that are transposed through tiles, alone or on the way to something else."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.program import Expr
from weft.kernels.types import I32

SIDES = (16, 32, 32)
WORDS = (
    ("matrix", "transposed"),
    ("image", "turned"),
    ("scores", "turned_scores"),
    ("samples", "by_channel"),
)


def transposition(k: Builder) -> None:
    """A matrix or a batch of them, transposed; perhaps scaled, shifted or added on the way."""
    kind = k.rng.pick(
        "plain", "batched", "scaled", "added", "column_scaled", "upper", "symmetric", "difference"
    )
    k.name, *k.other_names = k.rng.shuffled(_NAMES[kind])
    side = k.rng.pick(*SIDES)
    square = kind in ("symmetric", "difference", "upper")
    element = k.real if k.rng.chance(0.7) or kind in ("scaled", "symmetric", "column_scaled") else I32
    values = uniform(-1.0, 1.0) if element == k.real else {"integers": [-99, 100]}
    ragged = k.rng.chance(0.5)
    k.sizes["rows"] = "(n + 63) // 64" if ragged else f"{side} * ((n + 2047) // 2048)"
    if square:
        k.sizes["rows"] = f"min(n // 4 + 3, {k.rng.pick(90, 150, 200)})"
    columns = "rows" if square else "columns"
    k.sizes |= (
        {} if square else {columns: k.rng.pick("50", "75", "100") if ragged else str(side * k.rng.pick(2, 3))}
    )
    axes = k.rng.pick(("i", "j"), ("row", "column"), ("by", "bx"))
    grid = [f"({one} + {side - 1}) // {side}" for one in ("rows", columns)]
    batch: tuple[Expr, ...] = ()
    if kind == "batched":
        k.sizes["batch"] = k.rng.pick("2", "3", "5")
        first, i, j = k.blocks(["batch", *grid], ["b", *axes], 256)
        batch = (first,)
    else:
        i, j = k.blocks(grid, axes, 256)
    here, across = (i * side, j * side), (j * side, i * side)
    name, result = k.rng.pick(*WORDS)
    leading = ["batch"] * len(batch)
    source = k.array(name if not square else "matrix", element, [*leading, "rows", columns], values)
    tile = k.let("tile", tiles.load(source, (side, side), here, row=batch))
    turned: Expr = tiles.transposed(tile)
    if square:
        mirror = tiles.load(source, (side, side), across)
        turned = k.let("mirrored", tiles.transposed(k.let("mirror_tile", mirror)))
        turned = {
            "symmetric": lambda: 0.5 * (tile + turned),
            "difference": lambda: tile - turned,
            "upper": lambda: tiles.mapped("max", tile, turned),
        }[kind]()
        out = k.array(
            {"symmetric": "symmetric", "difference": "asymmetry", "upper": "larger"}[kind],
            element,
            ["rows", columns],
            None,
            "out",
        )
        tiles.store(k, out, turned, here)
    else:
        if kind == "scaled":
            turned = coefficient(k, "alpha", 0.3, 2.0, kinds="p") * turned
        elif kind == "column_scaled":
            weights = k.let(
                "weight_tile", tiles.load(k.array("weights", element, [columns], values), (side,), (here[1],))
            )
            turned = k.let("turned", turned) * tiles.broadcast(
                tiles.reshaped(weights, (side, 1)), (side, side)
            )
        elif kind == "added":
            other = k.array("addend", element, [columns, "rows"], values)
            turned = k.let("turned", turned) + tiles.load(other, (side, side), across)
        out = k.array(result, element, [*leading, columns, "rows"], None, "out")
        tiles.store(k, out, turned, across, row=batch)
    k.doc = f"{_SENTENCES[kind]}, a tile of {side} by {side} a block."


_NAMES = {
    "plain": ("transpose", "tiled_transpose", "transpose_matrix"), "batched": ("batched_transpose", "swap_last_axes"),
    "scaled": ("scaled_transpose", "omatcopy"), "added": ("add_transpose", "transpose_add"),
    "column_scaled": ("weighted_transpose", "transpose_with_weights"), "upper": ("larger_of_pairs", "symmetric_maximum"),
    "symmetric": ("symmetrize_matrix", "symmetric_average"), "difference": ("skew_difference", "asymmetry"),
}  # fmt: skip
_SENTENCES = {
    "plain": "Transpose a matrix", "batched": "Transpose each matrix of a batch",
    "scaled": "Store alpha times the transpose of a matrix", "added": "Add the transpose of a matrix to another one",
    "column_scaled": "Transpose a matrix, and multiply what was each column by a weight",
    "upper": "Keep the larger of each entry of a square matrix and the one across the diagonal",
    "symmetric": "Average each entry of a square matrix with the one across the diagonal",
    "difference": "Subtract the transpose of a square matrix from it",
}  # fmt: skip
