"""What a block starts from: a piece of one array, or of two that are combined."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.idioms.slabs import Slab, touched
from weft.kernels.program import Expr, Name
from weft.kernels.results import unused
from weft.kernels.words import words
from weft.types import Scalar


def prepared(
    k: Builder, piece: Slab, name: str, element: Scalar, low: float, high: float, *, whole: bool = False
) -> tuple[Expr, str]:
    """A tile of a new input, as it is or after a step, and what its elements are called."""
    whole = whole or element.is_integer
    tile: Expr = piece.read(name, element, low, high, whole=whole)
    kind = k.rng.pick("plain", "touched", "touched", "sum", "difference", "product", "larger")
    if kind == "plain":
        return tile, words(name)
    if kind == "touched":
        result, word = touched(k, tile, name)
        return (result if result is tile else _named(k, result), word)
    second = unused(k, "offset", "second", "partner", "weight")
    small = (0, 4) if whole else (0.0, 1.0)
    other = piece.read(second, element, *(small if kind == "product" else (low, high)), whole=whole)
    match kind:
        case "sum":
            result, word = tile + other, "sum"
        case "difference":
            result, word = k.rng.pick(tile - other, tiles.mapped("sub", tile, other)), "difference"
        case "larger":
            result, word = tiles.mapped("max", tile, other), "larger"
        case _:
            result, word = k.rng.pick(tile * other, tiles.mapped("mul", tile, other)), "product"
    return _named(k, result), f"{word} of {words(name)} and {words(second)}"


def _named(k: Builder, tile: Expr) -> Expr:
    if isinstance(tile, Name) or k.rng.chance(0.4):
        return tile
    return k.let(unused(k, "prepared", "entry_tile"), tile)
