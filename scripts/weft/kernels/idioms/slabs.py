"""Pieces of arrays that a block works on: how they lie in memory, what happens to them, where results go."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import lift
from weft.kernels.program import Expr, Name
from weft.kernels.results import unused
from weft.kernels.types import scalar_of
from weft.kernels.words import plural, told, words
from weft.types import Scalar

BLOCKS = ("(n + 15) // 16", "(n + 31) // 32", "(n + 63) // 64", "min(n, 100)", "min((n + 1) // 2, 130)")


@dataclasses.dataclass(slots=True, eq=False)
class Slab:
    """One piece of `width` elements for each block: a row, a stretch of a line, or rows of a matrix.

    `offset` is where a block's piece begins and `row` what selects it; `shape` is that of its tile.
    """

    k: Builder
    extents: tuple[str, ...]
    shape: tuple[int, ...]
    offset: tuple[Expr | int, ...]
    row: tuple[Expr | int, ...] = ()
    ragged: bool = False

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(self.shape[0] if len(self.shape) == 1 else self.shape[0] * self.shape[1])

    def array(self, name: str, element: Scalar, low: float, high: float, *, whole: bool) -> ArrayHandle:
        """An input array of such pieces."""
        values = {"integers": [int(low), int(high) + 1]} if whole else uniform(low, high)
        return self.k.array(name, element, self.extents, values)

    def take(self, array: ArrayHandle) -> Expr:
        """This block's piece of an array."""
        return tiles.load(array, self.shape, self.offset, row=self.row, ragged=self.ragged)

    def read(self, name: str, element: Scalar, low: float, high: float, *, whole: bool = False) -> Expr:
        """This block's piece of a new input array, named."""
        return self.k.let(name, self.take(self.array(plural(name), element, low, high, whole=whole)))

    def write(self, name: str, tile: Expr) -> None:
        """Store a tile of the piece's shape in a new output."""
        element = scalar_of(tile.type)
        out = self.k.array(self.k.rng.pick(plural(name), f"out_{name}"), element, self.extents, None, "out")
        tiles.store(self.k, out, tile, self.offset, row=self.row)


def launch(k: Builder, name: str, *, lane: bool = False, width: int | None = None) -> Expr:
    """One block for each of a number of things; `lane` names the thread's place in it."""
    size = plural(name)
    k.sizes[size] = k.rng.pick(*BLOCKS)
    block_dim = width or k.rng.pick(32, 64, 64, 128)
    place = k.rng.pick("lane", "thread", "t") if lane else None
    index: Expr
    (index,) = k.blocks([size], [k.rng.pick(name, name[0], "block")], block_dim, place)
    return index


def slab(k: Builder, width: int | None = None, *, ragged: bool = True) -> Slab:
    """A piece for each block, in one of the usual layouts."""
    width = width or k.rng.pick(32, 48, 64, 96, 128)
    kind = k.rng.pick("row", "row", "strip", "line", "panel", *(["ragged"] if ragged else []))
    if kind == "ragged":
        k.sizes["tiles"] = f"(n + {width - 1}) // {width}"
        (tile,) = k.blocks(["tiles"], [k.rng.pick("tile", "i")], k.rng.pick(32, 64))
        return Slab(k, ("n",), (width,), (tile * width,), ragged=True)
    i = launch(k, k.rng.pick("row", "batch", "segment"))
    count = k.dims[0]
    match kind:
        case "row":
            return Slab(k, (count, str(width)), (width,), (0,), (i,))
        case "strip":
            return Slab(k, (count, str(width)), (1, width), (i, 0))
        case "panel":
            rows = k.rng.pick(4, 8)
            return Slab(k, (f"{rows} * {count}", str(width // 4)), (rows, width // 4), (i * rows, 0))
        case _:
            return Slab(k, (f"{width} * {count}",), (width,), (i * width,))


def touched(k: Builder, tile: Expr, name: str) -> tuple[Expr, str]:
    """A tile after a step that works element by element, or as it is, and what to call its elements."""
    floats = scalar_of(tile.type).is_float
    kind = k.rng.pick(
        "plain", "plain", "scaled", "magnitude", "positive", "square", *(["curved"] * 2 * floats)
    )
    match kind:
        case "scaled":
            if tile.interval.integral or not floats:
                factor: Expr = lift(k.rng.integer(2, 4), tile.type)
            else:
                factor = coefficient(k, unused(k, "scale", "gain"), 0.3, 2.5, kinds="lp")
            return factor * tile, f"{words(name)} times {told(factor)}"
        case "magnitude":
            return tiles.mapped("abs", tile), f"magnitude of the {words(name)}"
        case "positive":
            return tiles.mapped("max", tile, 0), f"positive part of the {words(name)}"
        case "square":
            return tile * tile, f"square of the {words(name)}"
        case "curved" if tile.interval.within(-1e4, 1e4) and not tile.interval.integral:
            noun = ""

            def body(_: Builder, x: Expr) -> Expr:
                nonlocal noun
                value, noun = curve(k, x)
                return value

            helper = k.rng.pick("activation", "response", "transfer")
            element = Name(scalar_of(tile.type), tile.interval, "x")
            curve_doc = f"What becomes of each {words(name)}."
            result = tiles.applied(k, helper, curve_doc, {"x": tile}, body)
            assert isinstance(element.type, Scalar)
            return result, f"{noun} of the {words(name)}"
        case _:
            return tile, words(name)


def single(tile: Expr) -> Expr:
    """The only element of a tile of one."""
    return tile[0]


def spread(k: Builder, tile: Expr, shape: Sequence[int]) -> Expr:
    """A tile of one element over a whole shape, as tiles are combined with tiles of their own shape."""
    flat = tile if len(shape) == 1 else tiles.reshaped(tile, [1] * len(shape))
    return tiles.broadcast(flat, shape)
