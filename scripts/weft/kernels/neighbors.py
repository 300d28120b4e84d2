"""Values around a place in a field, with the boundaries that stencils have."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, ops, within
from weft.kernels.idioms.pairs import zero
from weft.kernels.program import Expr, Redraw
from weft.kernels.types import I32
from weft.kernels.words import singular
from weft.types import Type, Vector

AXES: dict[str, tuple[int, str, str]] = {
    "n": (0, "left", "right"),
    "cols": (0, "left", "right"),
    "width": (0, "left", "right"),
    "nx": (0, "west", "east"),
    "rows": (1, "up", "down"),
    "height": (1, "up", "down"),
    "ny": (1, "south", "north"),
    "depth": (2, "front", "back"),
    "nz": (2, "bottom", "top"),
}
"""By an axis' size: which component of a vector lies along it, and what the two neighbours are called."""

_BOUNDARIES = {
    "clamped": "Values beyond the border repeat the nearest one",
    "periodic": "The grid is periodic",
    "zero": "Values outside the grid are zero",
}
_ENDS = {
    "clamped": "The first and the last element are repeated beyond the ends",
    "periodic": "The ends are joined periodically",
    "zero": "Values beyond both ends are zero",
}
"""The same of elements on a line."""


@dataclasses.dataclass(slots=True, eq=False)
class Halo(ArrayHandle):
    """An array with a rim of ghost cells, of which the block has a tile with a rim in shared memory."""

    tile: Expr | None = None
    corner: tuple[Expr, ...] = ()
    reach: int = 1
    used: int = 0

    def near(self, *offsets: Expr | int) -> Expr:
        """The value at the thread's element plus an offset along each axis."""
        assert self.tile is not None
        place = []
        for here, offset in zip(self.corner, offsets, strict=True):
            widest = abs(offset) if isinstance(offset, int) else offset.interval.magnitude
            if widest > self.reach:
                raise Redraw(f"{self.parameter.name}: an offset of {widest} is beyond the tile's rim")
            self.used = max(self.used, int(widest))
            place.append(
                here + (offset + self.reach) if isinstance(offset, int) else here + offset + self.reach
            )
        return self.tile[tuple(place)]

    def __getitem__(self, index: Expr | int | tuple[Expr | int, ...]) -> Expr:
        if index is not self.builder.index:
            raise Redraw(f"{self.parameter.name} is read beyond the block's tile")
        return self.near(*(0 for _ in self.corner))


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """An input array over the elements of a kernel, and what lies beyond its border."""

    k: Builder
    array: ArrayHandle
    boundary: str

    def at(self, *offsets: int) -> Expr:
        """The value at this thread's element plus an offset along each axis."""
        if isinstance(self.array, Halo):
            return self.array.near(*offsets)
        conditions = [one for axis, offset in enumerate(offsets) for one in self._inside(axis, offset)]

        def value() -> Expr:
            return self.array[tuple(self._place(axis, offset) for axis, offset in enumerate(offsets))]

        if not conditions:
            return value()
        condition = conditions[0]
        for one in conditions[1:]:
            condition = condition & one
        element = self.array.element
        nothing: Expr | int = zero(element) if isinstance(element, Vector) else 0
        return self.k.guarded(condition, value, nothing)

    def beside(self, axis: int, offset: int) -> Expr:
        """The value `offset` elements away along one axis."""
        rank = len(self.k.shape)
        return self.at(*(offset if one == axis else 0 for one in range(rank)))

    def pair(self, axis: int) -> tuple[Expr, Expr]:
        """The two nearest neighbours along an axis, under their names; asked for again, the same."""
        return self.side(axis, -1), self.side(axis, 1)

    def side(self, axis: int, offset: int) -> Expr:
        """The neighbour before (-1) or behind (1) along an axis, under its name."""
        k, name = self.k, self.array.name
        _, before, after = AXES.get(k.shape[axis], (0, "before", "after"))
        side = before if offset < 0 else after

        def read() -> Expr:
            short = side if side not in k.names else f"{side}_{singular(name)}"
            return k.let(short, self.beside(axis, offset))

        return k.once(f"{side} of {name} in {k.name}", read)

    def corner(self, *offsets: int) -> Expr:
        """The neighbour beside the thread's element along all axes, under a name."""
        sides = []
        for size, offset in zip(self.k.shape, offsets, strict=True):
            _, before, after = AXES.get(size, (0, "before", "after"))
            side = before if offset < 0 else after
            sides.append({"up": "upper", "down": "lower"}.get(side, side))
        return self.k.let("_".join(sides), self.at(*offsets))

    def moved(self, *offsets: Expr) -> Expr:
        """The value at this thread's element plus offsets that are loop counters."""
        if isinstance(self.array, Halo):
            return self.array.near(*offsets)
        return self.array[tuple(self._wrapped(axis, offset) for axis, offset in enumerate(offsets))]

    def along(self, axis: int, offset: Expr) -> Expr:
        """As `moved`, along one axis alone."""
        if isinstance(self.array, Halo):
            return self.array.near(*(offset if one == axis else 0 for one in range(len(self.k.index))))
        places = list(self.k.index)
        places[axis] = self._wrapped(axis, offset)
        return self.array[tuple(places)]

    def _wrapped(self, axis: int, offset: Expr) -> Expr:
        if self.boundary == "zero":
            raise Redraw("a loop over neighbours has no condition for those beyond the border")
        size, reach = self.k.extent(axis), int(offset.interval.magnitude)
        place = self.k.index[axis] + offset
        if self.boundary == "periodic":
            return (place + (size if reach == 1 else reach * size)) % size
        return ops.clamp(place, 0, size - 1)

    def _inside(self, axis: int, offset: int) -> list[Expr]:
        """What must hold so that there is such an element, if zero counts where there is none."""
        if offset == 0 or self.boundary != "zero":
            return []
        here = self.k.index[axis]
        return [here >= -offset if offset < 0 else here + offset < self.k.extent(axis)]

    def _place(self, axis: int, offset: int) -> Expr:
        """The index along one axis."""
        here = self.k.index[axis]
        if offset == 0 or self.boundary == "zero":
            return here + offset if offset else here
        if self.boundary == "clamped" and offset < 0:
            return ops.max(here + offset, 0)
        size = self.k.extent(axis)
        if self.boundary == "clamped":
            return ops.min(here + offset, size - 1)
        back = size if offset == -1 else -offset * size
        return (here + offset + back) % size if offset < 0 else (here + offset) % size


def around(k: Builder, array: ArrayHandle, boundaries: tuple[str, ...] = ()) -> Field:
    """An array over the kernel's elements with its neighbourhoods; the kernel has one kind of boundary.

    `boundaries` are those that may be drawn; without them, clamped indices mostly, or a periodic grid.
    """
    if not boundaries and isinstance(array.element, Vector):
        boundaries = ("clamped", "periodic")
    boundary = k.once("boundary", lambda: k.rng.pick(*(boundaries or ("clamped", "clamped", "periodic"))))
    if boundaries and boundary not in (*boundaries, "ghost"):
        raise Redraw(f"beyond the border nothing can be {boundary}")
    if boundary != "ghost":
        _tell(k, boundary)
    return Field(k, array, boundary)


def _tell(k: Builder, boundary: str) -> None:
    k.notes.append((_BOUNDARIES if len(k.shape) > 1 else _ENDS)[boundary])


def interpolated(k: Builder, array: ArrayHandle, places: Sequence[Expr]) -> Expr:
    """The multilinear interpolation of an array at a place in the grid, along each axis in cells."""
    around(k, array, ("clamped",))
    corners: list[tuple[Expr, ...]] = [()]
    weights = []
    for axis, place in enumerate(places):
        letter = "xyz"[component(k, axis)]
        size = k.extent(axis)
        inside = k.let(letter, ops.clamp(place, 0.0, convert(k.real, size - 1)))
        low = k.let(f"{letter}0", within(convert(I32, inside), k.shape[axis]))
        high = k.let(f"{letter}1", ops.min(low + 1, size - 1))
        weights.append(k.let(f"weight_{letter}", bounded(inside - convert(k.real, low), 0.0, 1.0)))
        corners = [(*one, end) for one in corners for end in (low, high)]
    values = [array[one] for one in corners]
    for weight in reversed(weights):
        pairs = list(zip(values[::2], values[1::2], strict=True))
        values = [_mixed(k, first, second, weight) for first, second in pairs]
    return bounded(values[0], array.interval.lo, array.interval.hi)


def _mixed(k: Builder, first: Expr, second: Expr, weight: Expr) -> Expr:
    if isinstance(first.type, Vector):
        return (1.0 - weight) * first + weight * second
    return ops.lerp(first, second, weight)


def component(k: Builder, axis: int) -> int:
    """Which component of a vector lies along an axis of the grid."""
    return AXES[k.shape[axis]][0]


def field(
    k: Builder,
    name: str,
    low: float,
    high: float,
    *,
    type: Type | None = None,
    boundary: str | None = None,
    boundaries: tuple[str, ...] = ("clamped", "periodic", "zero"),
) -> Field:
    """An input field over the kernel's elements; what lies beyond its border is drawn, and told."""
    chosen = boundary or k.rng.pick(*boundaries)
    _tell(k, chosen)
    return Field(k, k.array(name, type or k.real, k.shape, uniform(low, high)), chosen)
