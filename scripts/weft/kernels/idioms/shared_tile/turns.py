"""Tiles that are transposed: alone, with their mirror image, in batches, by halves, times themselves."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded
from weft.kernels.idioms.shared_tile.beginnings import prepared
from weft.kernels.idioms.shared_tile.endings import conclude
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import BLOCKS, Slab
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.types import Scalar


def transposition(k: Builder) -> None:
    """Tiles of a matrix, turned."""
    element: Scalar = k.rng.pick(k.real, k.real, I32)
    whole = element == I32 or k.rng.chance(0.2)
    bounds = (-9, 9) if whole else (-1.0, 1.0)
    name = k.rng.pick("grid", "image", "panel", "field")
    kinds = ["plain", "plain", "mirrored", "mirrored", "batched", "halves", "product", "turned back"]
    kind = k.rng.pick(*(one for one in kinds if one != "product" or element.is_float))
    rows, columns = k.rng.pick((8, 8), (16, 16), (8, 16), (16, 4), (32, 8))
    if kind == "mirrored":
        _mirrored(k, name, element, whole, rows)
        return
    if kind == "batched":
        source = _batch(k, rows, columns)
        target = Slab(
            k,
            (k.dims[0], f"{columns} * {k.dims[1]}", str(rows)),
            (columns, rows),
            (k.index[1] * columns, 0),
            (k.index[0],),
        )
    else:
        i, j = tile_grid(k, rows, columns)
        down, across = k.dims
        source = Slab(
            k, (f"{rows} * {down}", f"{columns} * {across}"), (rows, columns), (i * rows, j * columns)
        )
        target = Slab(
            k, (f"{columns} * {across}", f"{rows} * {down}"), (columns, rows), (j * columns, i * rows)
        )
    tile, word = prepared(k, source, name, element, *bounds, whole=whole)
    source_of = f"the {word}" if word != name else "an image" if name == "image" else f"a {name}"
    doc = f"The transpose of {source_of}{', batch by batch' * (kind == 'batched')}"
    match kind:
        case "halves":
            tile = tile if isinstance(tile, Name) else k.let("whole_tile", tile)
            half = rows // 2
            parts = [tiles.transposed(tiles.view(tile, (start, 0), (half, columns))) for start in (0, half)]
            first, second = (k.let(label, one) for label, one in zip(("upper", "lower"), parts, strict=True))
            how, turned = k.rng.pick(
                ("sum", first + second),
                ("difference", first - second),
                ("larger", tiles.mapped("max", first, second)),
            )
            doc = f"The {how} of the upper and the lower half of a tile of {source_of}, transposed"
            i, j = k.index
            target = Slab(
                k, (f"{columns} * {across}", f"{half} * {down}"), (columns, half), (j * columns, i * half)
            )
        case "product":
            tile = tile if isinstance(tile, Name) else k.let("own_tile", tile)
            turned = bounded(tiles.product(tiles.transposed(tile), tile), -1e4, 1e4)
            doc = f"Each tile of {source_of}, transposed and multiplied by itself"
            i, j = k.index
            target = Slab(
                k,
                (f"{columns} * {down}", f"{columns} * {across}"),
                (columns, columns),
                (i * columns, j * columns),
            )
        case "turned back":
            turned = k.let(k.rng.pick("turned", "flipped"), tiles.transposed(tile))
            amounts = k.array(
                "amounts", element, [str(rows)], {"integers": [-9, 10]} if whole else {"uniform": [-1.0, 1.0]}
            )
            line = k.let("amount", tiles.load(amounts, (rows,)))
            wide = tiles.broadcast(
                tiles.reshaped(line, (1, rows)) if k.rng.chance(0.5) else line, (columns, rows)
            )
            how, changed = k.rng.pick(
                ("plus", turned + wide), ("times", turned * wide), ("minus", turned - wide)
            )
            turned = tiles.transposed(k.let("changed", changed))
            doc = f"Each row of a tile of {source_of} {how} an amount of its own, by way of the transpose"
            target = source
        case _:
            turned = tiles.transposed(tile)
    turned = k.let(k.rng.pick("result_block", "swapped"), turned) if k.rng.chance(0.6) else turned
    conclude(k, target, k.rng.pick("transposed", "outcome", "turned_matrix"), turned)
    describe(k, doc)


def _batch(k: Builder, rows: int, columns: int) -> Slab:
    """Flat matrices, one behind the other; a block for each tile of one."""
    k.sizes["batches"], k.sizes["tiles"] = k.rng.pick(*BLOCKS), k.rng.pick("2", "3", "4")
    batch, tile = k.blocks(
        ["batches", "tiles"], k.rng.pick(("batch", "t"), ("b", "tile")), k.rng.pick(32, 64)
    )
    return Slab(
        k, ("batches", str(rows), f"{columns} * tiles"), (rows, columns), (0, tile * columns), (batch,)
    )


def _mirrored(k: Builder, name: str, element: Scalar, whole: bool, edge: int) -> None:
    """A tile and the one across the diagonal."""
    edge = min(edge, 16)
    k.sizes["edge_tiles"] = k.rng.pick(
        "min((n + 7) // 8, 40)", "min((n + 15) // 16, 20)", "min((n + 31) // 32, 160)"
    )
    i, j = k.blocks(
        ["edge_tiles", "edge_tiles"],
        k.rng.pick(("i", "j"), ("row", "column"), ("by", "bx")),
        k.rng.pick(32, 64),
    )
    extents = (f"{edge} * edge_tiles",) * 2
    piece = Slab(k, extents, (edge, edge), (i * edge, j * edge))
    across = Slab(k, extents, (edge, edge), (j * edge, i * edge))
    array = piece.array(name, element, *((-9, 9) if whole else (-1.0, 1.0)), whole=whole)
    own: Expr = k.let(k.rng.pick("own", "tile"), piece.take(array))
    other: Expr = k.let(k.rng.pick("mirror", "opposite"), tiles.transposed(across.take(array)))
    kind = k.rng.pick("symmetric", "antisymmetric", "larger", "product", "gap")
    match kind:
        case "symmetric":
            result, doc = own + other, "The sum of a square matrix and its transpose"
        case "antisymmetric":
            result, doc = own - other, "A square matrix less its transpose"
        case "larger":
            edge_kind = k.rng.pick("max", "min")
            result = tiles.mapped(edge_kind, own, other)
            doc = f"The {edge_kind}imum of each entry and the one across the diagonal"
        case "product":
            result, doc = own * other, "Each entry times the one across the diagonal"
        case _:
            gap = k.let("gap", own - other)
            result, doc = gap * gap, "The squared difference of each entry and the one across the diagonal"
    if element == k.real and kind in ("symmetric", "antisymmetric") and k.rng.chance(0.5):
        result, doc = 0.5 * result, f"Half of {doc[0].lower()}{doc[1:]}"
    conclude(k, piece, k.rng.pick("combined", "outcome", f"{name}_part"), result)
    describe(k, doc)
