"""Values around a place in a field, with the boundaries that stencils have."""

from __future__ import annotations

import dataclasses

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import ops
from weft.kernels.program import Expr
from weft.kernels.vocabulary import uniform
from weft.types import Type

SIDES: dict[int, tuple[tuple[str, str], ...]] = {
    1: (("left", "right"),),
    2: (("up", "down"), ("left", "right")),
    3: (("below", "above"), ("front", "back"), ("left", "right")),
}
"""What the two neighbours along each axis are called, by rank."""

_BOUNDARIES = {
    "clamped": "Beyond the border the nearest element counts",
    "periodic": "The grid is periodic",
    "zero": "Elements beyond the border count as zero",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """An input array over the elements of a kernel, and what lies beyond its border."""

    k: Builder
    array: ArrayHandle
    boundary: str

    def at(self, *offsets: int) -> Expr:
        """The value at this thread's element plus an offset along each axis."""
        conditions = [one for axis, offset in enumerate(offsets) for one in self._inside(axis, offset)]

        def value() -> Expr:
            return self.array[tuple(self._place(axis, offset) for axis, offset in enumerate(offsets))]

        if not conditions:
            return value()
        condition = conditions[0]
        for one in conditions[1:]:
            condition = condition & one
        return self.k.guarded(condition, value, 0.0)

    def beside(self, axis: int, offset: int) -> Expr:
        """The value `offset` elements away along one axis."""
        rank = len(self.k.shape)
        return self.at(*(offset if one == axis else 0 for one in range(rank)))

    def pair(self, axis: int, prefix: str = "") -> tuple[Expr, Expr]:
        """The two nearest neighbours along an axis, under their names."""
        before, after = SIDES[len(self.k.shape)][axis]
        return (
            self.k.let(f"{prefix}{before}", self.beside(axis, -1)),
            self.k.let(f"{prefix}{after}", self.beside(axis, 1)),
        )

    def moved(self, *offsets: Expr) -> Expr:
        """The value at this thread's element plus offsets that are loop counters; never with zero beyond."""
        return self.array[tuple(self._wrapped(axis, offset) for axis, offset in enumerate(offsets))]

    def along(self, axis: int, offset: Expr) -> Expr:
        """As `moved`, along one axis alone."""
        places = list(self.k.index)
        places[axis] = self._wrapped(axis, offset)
        return self.array[tuple(places)]

    def _wrapped(self, axis: int, offset: Expr) -> Expr:
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


def around(
    k: Builder, array: ArrayHandle, boundaries: tuple[str, ...] = ("clamped", "periodic", "zero")
) -> Field:
    """An array over the kernel's elements with its neighbourhoods; the kernel has one kind of boundary."""
    boundary = k.once("boundary", lambda: k.rng.pick(*boundaries))
    k.notes.append(_BOUNDARIES[boundary])
    return Field(k, array, boundary)


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
    k.notes.append(_BOUNDARIES[chosen])
    return Field(k, k.array(name, type or k.real, k.shape, uniform(low, high)), chosen)
