"""Matrices that are transposed through tiles, alone or on the way to something else."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.idioms.blocks import exact
from weft.kernels.program import Expr
from weft.kernels.types import I32

WORDS = (
    ("matrix", "transposed"),
    ("image", "turned_image"),
    ("scores", "turned_scores"),
    ("samples", "by_channel"),
)
KINDS = {
    "plain": ("transpose", "tiled_transpose", "transpose_matrix", "Transpose a matrix"),
    "batched": ("batched_transpose", "swap_last_axes", "Transpose each matrix of a batch"),
    "scaled": ("scaled_transpose", "omatcopy", "Store alpha times the transpose of a matrix"),
    "added": ("add_transpose", "transpose_add", "Add the transpose of a matrix to another one"),
    "weighted": ("weighted_transpose", "transpose_with_weights",
                 "Transpose a matrix, and multiply what was each column by a weight"),
    "symmetric": ("symmetrize_matrix", "symmetric_average",
                  "Average each entry of a square matrix with the one across the diagonal"),
    "asymmetry": ("skew_difference", "asymmetry_of_matrix",
                  "Subtract the transpose of a square matrix from it"),
    "larger": ("larger_of_pairs", "symmetric_maximum",
               "Keep the larger of each entry of a square matrix and the one across the diagonal"),
}  # fmt: skip


def transposition(k: Builder) -> None:
    """A matrix or a batch of them, transposed; perhaps scaled or added on the way."""
    kind = k.rng.pick(*KINDS)
    *names, sentence = KINDS[kind]
    k.name, *k.other_names = k.rng.shuffled(names)
    side, ragged, square = (
        k.rng.pick(16, 32, 32),
        k.rng.chance(0.5),
        kind in ("symmetric", "asymmetry", "larger"),
    )
    element = k.real if k.rng.chance(0.7) or kind in ("scaled", "symmetric") else I32
    values = uniform(-1.0, 1.0) if element == k.real else whole(-99, 99)
    k.sizes["rows"] = "(n + 63) // 64" if ragged else exact(side)
    columns, batch = "rows" if square else "columns", ["batch"] if kind == "batched" else []
    if square:
        k.sizes["rows"] = f"min(n // 4 + 3, {k.rng.pick(90, 150, 200)})"
    else:
        k.sizes["columns"] = k.rng.pick("50", "75", "100") if ragged else str(side * k.rng.pick(2, 3))
    if batch:
        k.sizes["batch"] = k.rng.pick("2", "3", "5")
    grid = [*batch, *(f"({one} + {side - 1}) // {side}" for one in ("rows", columns))]
    axes = k.rng.pick(("i", "j"), ("row", "column"), ("by", "bx"))
    *first, i, j = k.blocks(grid, ["b", *axes] if batch else axes, 256)
    here, across = (i * side, j * side), (j * side, i * side)

    def load(name: str, shape: list[str], place: tuple[Expr, ...]) -> Expr:
        array = k.input(name, element, [*batch, *shape], values)
        return tiles.load(array, (side,) * len(place), place, row=first)

    name, result = ("matrix", kind) if square else k.rng.pick(*WORDS)
    tile = k.let("tile", load(name, ["rows", columns], here))
    if square:
        mirror = k.let("mirror_tile", load(name, ["rows", columns], across))
        mirrored = k.let("mirrored", tiles.transposed(mirror))
        turned = {
            "symmetric": lambda: 0.5 * (tile + mirrored),
            "asymmetry": lambda: tile - mirrored,
            "larger": lambda: tiles.mapped("max", tile, mirrored),
        }[kind]()
    else:
        turned = tiles.transposed(tile)
        if kind == "scaled":
            turned = coefficient(k, "alpha", 0.3, 2.0, kinds="p") * turned
        elif kind == "weighted":
            weight = tiles.reshaped(k.let("weight_tile", load("weights", [columns], here[1:])), (side, 1))
            turned = k.let("turned", turned) * tiles.broadcast(weight, (side, side))
        elif kind == "added":
            turned = k.let("turned", turned) + load("addend", [columns, "rows"], across)
    out = k.array(result, element, [*batch, columns, "rows"], None, "out")
    tiles.store(k, out, turned, here if square else across, row=first)
    k.doc = f"{sentence}, a tile of {side} by {side} a block."
