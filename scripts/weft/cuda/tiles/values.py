"""What a tile is while a function is translated: a rule that gives each of its elements as an expression.

Nothing is stored until a tile gets a name: element-wise operations, views and loads become one loop.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.cuda.rules import UnsupportedError
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Component,
    Conditional,
    Element,
    Expression,
    Extent,
    Literal,
    Name,
    Slice,
)
from weft.cuda.values import zero
from weft.types import Array, Tile, Type

Coordinates = Sequence[Expression]


@dataclasses.dataclass(frozen=True)
class TileValue:
    """A tile of `element` values: `at` gives the one at some coordinates, as a new expression each time.

    `place` says whether it can be assigned. `reads` names the shared tiles that `at` reads, and for each
    whether only at the same position in row-major order.
    """

    element: Type
    shape: tuple[int, ...]
    at: Callable[[Coordinates], Expression]
    place: bool = False
    reads: tuple[tuple[str, bool], ...] = ()

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def first(self) -> Expression:
        """The first element."""
        return self.at([Literal(INT, 0)] * len(self.shape))


def shared(name: str, kind: Tile) -> TileValue:
    """A tile in shared memory."""

    def at(coordinates: Coordinates) -> Expression:
        return Component(kind.element, Name(kind, name), "", list(coordinates))

    return TileValue(kind.element, kind.shape, at, place=True, reads=((name, True),))


def single(name: str, kind: Tile) -> TileValue:
    """A tile of one element, which every thread keeps in a variable."""
    return TileValue(kind.element, kind.shape, lambda _: Name(kind.element, name), place=True)


def constant(value: Expression, kind: Tile) -> TileValue:
    """The same everywhere."""
    return TileValue(kind.element, kind.shape, lambda _: clone(value))


def combined(
    kind: Tile, parts: Sequence[TileValue | Expression], of: Callable[[list[Expression]], Expression]
) -> TileValue:
    """A tile whose element follows from the elements of `parts` at the same place. A part may be one value
    for all places.
    """
    tiles = [part for part in parts if isinstance(part, TileValue)]

    def at(coordinates: Coordinates) -> Expression:
        return of([element(part, coordinates) for part in parts])

    # Refuses what has no translation here, where its place is known.
    at([Literal(INT, 0)] * len(kind.shape))
    reads = tuple(dict.fromkeys(read for tile in tiles for read in tile.reads))
    return TileValue(kind.element, kind.shape, at, reads=reads)


def element(part: TileValue | Expression, coordinates: Coordinates) -> Expression:
    """The element of an operand that may be one value for all."""
    return part.at(coordinates) if isinstance(part, TileValue) else clone(part)


def rearranged(
    tile: TileValue,
    shape: tuple[int, ...],
    origin: Callable[[Coordinates], Coordinates],
    in_order: bool = False,
) -> TileValue:
    """A view of `tile`: `origin` turns coordinates of the view into those of the tile.

    `in_order` says that elements keep their place in row-major order.
    """
    reads = tuple((name, own and in_order) for name, own in tile.reads)
    return TileValue(tile.element, shape, lambda c: tile.at(origin(c)), tile.place, reads)


def transposed(tile: TileValue) -> TileValue:
    """wp.tile_transpose."""
    return rearranged(tile, tile.shape[::-1], lambda c: list(c)[::-1], in_order=1 in tile.shape)


def broadcast(tile: TileValue, shape: tuple[int, ...]) -> TileValue:
    """wp.tile_broadcast: axes of extent one, and missing leading axes, repeat."""

    def origin(coordinates: Coordinates) -> Coordinates:
        own = list(coordinates)[len(shape) - len(tile.shape) :]
        return [Literal(INT, 0) if extent == 1 else c for c, extent in zip(own, tile.shape, strict=True)]

    return rearranged(tile, shape, origin, in_order=math.prod(shape) == tile.size)


def reshaped(tile: TileValue, shape: tuple[int, ...]) -> TileValue:
    """wp.tile_reshape and wp.tile_squeeze: the same elements in row-major order."""

    def origin(coordinates: Coordinates) -> Coordinates:
        long = [(c, extent) for c, extent in zip(coordinates, shape, strict=True) if extent > 1]
        if [extent for _, extent in long] == [extent for extent in tile.shape if extent > 1]:
            rest = iter([c for c, _ in long])
            return [next(rest) if extent > 1 else Literal(INT, 0) for extent in tile.shape]
        return unravel(ravel(coordinates, shape), tile.shape)

    return rearranged(tile, shape, origin, in_order=True)


def ravel(coordinates: Coordinates, shape: Sequence[int]) -> Expression:
    """The place in row-major order."""
    place: Expression = Literal(INT, 0)
    for coordinate, extent in zip(coordinates, shape, strict=True):
        place = plus(times(place, extent), coordinate)
    return place


def unravel(place: Expression, shape: Sequence[int]) -> list[Expression]:
    """Coordinates from the place in row-major order; axes of extent one have the coordinate 0."""
    result: list[Expression] = []
    first = True
    for axis, extent in enumerate(shape):
        if extent == 1:
            result.append(Literal(INT, 0))
            continue
        inner = math.prod(shape[axis + 1 :])
        coordinate = clone(place)
        if inner > 1:
            coordinate = Binary(INT, "/", coordinate, Literal(INT, inner))
        if not first:
            coordinate = Binary(INT, "%", coordinate, Literal(INT, extent))
        first = False
        result.append(coordinate)
    return result


def plus(left: Expression, right: Expression) -> Expression:
    """`left + right` without zeros."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(INT, int(left.value) + int(right.value))
    if left == Literal(INT, 0):
        return right
    if right == Literal(INT, 0):
        return left
    return Binary(INT, "+", left, right)


def times(left: Expression, factor: int) -> Expression:
    """`left * factor` without ones."""
    if isinstance(left, Literal):
        return Literal(INT, int(left.value) * factor)
    return left if factor == 1 else Binary(INT, "*", left, Literal(INT, factor))


def moved(coordinates: Coordinates, offset: Coordinates) -> list[Expression]:
    """Coordinates that are counted from an offset on."""
    return [plus(clone(o), clone(c)) for o, c in zip(offset, coordinates, strict=True)]


def element_of(array: Expression, coordinates: Coordinates) -> Element:
    """An element of an array or of a view of one, at coordinates that are not negative."""
    assert isinstance(array.type, Array)
    kind = array.type.element
    if isinstance(array, Element) and not any(isinstance(index, Slice) for index in array.indices):
        base = clone(array)
        assert isinstance(base, Element)
        return Element(
            kind, base.array, [*base.indices, *coordinates], node=array.node, exact=len(coordinates)
        )
    return Element(kind, clone(array), list(coordinates), exact=len(coordinates))


def within(array: Expression, coordinates: Coordinates, checked: Sequence[bool]) -> Expression | None:
    """Whether the coordinates lie below the array's extents; None if no axis is checked."""
    test: Expression | None = None
    base, lead = array, 0
    if isinstance(array, Element) and not any(isinstance(index, Slice) for index in array.indices):
        base, lead = array.array, len(array.indices)
    for axis, (coordinate, check) in enumerate(zip(coordinates, checked, strict=True)):
        if check:
            one = Binary(BOOL, "<", clone(coordinate), Extent(INT, clone(base), lead + axis), in_range=True)
            test = one if test is None else Binary(BOOL, "&&", test, one)
    return test


def loaded(array: Expression, offset: Coordinates, kind: Tile, checked: bool) -> TileValue:
    """wp.tile_load: elements from `offset` on; beyond the array's end they are zero."""
    if not isinstance(array.type, Array) or array.type.ndim != len(kind.shape):
        raise UnsupportedError("a tile and the array it is loaded from need the same number of dimensions")

    def at(coordinates: Coordinates) -> Expression:
        places = moved(coordinates, offset)
        element = element_of(array, places)
        test = within(array, places, [checked] * len(places))
        if test is None:
            return element
        return Conditional(kind.element, test, element, zero(kind.element))

    return TileValue(kind.element, kind.shape, at)
