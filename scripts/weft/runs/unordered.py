"""Are the rows of arrays whose elements may come in any order those that the reference left?

Rows are compared as what they are a multiset of, each within its range (weft.reference.rows): bit for bit, or
of a stranger's program the floats within their bounds. There, each row of the reference takes one row that is
near it, none twice.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.reference.rows import Rows
from weft.reference.store import Expected, Packed, as_bytes, canonical, packed_elements
from weft.runs.judge import ROUNDINGS, Difference, close, scale_of, within
from weft.types import Structs, Type

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Column:
    """One array of a group: what is expected of it, what a program left, and whether its floats need only be
    near.
    """

    expected: Expected
    got: Packed
    element: Type
    near: bool


def misplaced(
    rows: Rows, columns: Mapping[str, Column], structs: Structs, roundings: int = ROUNDINGS
) -> tuple[str, Difference] | None:
    """The array, and the element of it, where a row of the reference begins that a program did not leave; and
    in the same array, an element of a row that it left and the reference did not (`stored`), if there is one.

    Of large arrays it is the hash that tells, and if floats need only be near, nothing.
    """
    got = {name: canonical(one.got) for name, one in columns.items()}
    wanted = {
        name: packed_elements(one.expected.value, one.element, structs)
        for name, one in columns.items()
        if one.expected.value is not None
    }
    near = {name for name, one in columns.items() if one.near and _has_floats(got[name])}
    message = _message(list(columns))
    if len(wanted) < len(columns):
        hashes = {one.expected.rows_sha256 for one in columns.values() if one.expected.value is None}
        if near or rows.digest(got) in hashes:
            return None
        return next(iter(columns)), Difference("wrong_output", message)
    if near:
        sides = _Near(rows, columns, near, wanted, got, roundings)
        row, stray = sides.unmatched(), sides.stray
    else:
        row = _absent(rows.packed(wanted), rows.packed(got))
        stray = functools.partial(_absent, rows.packed(got), rows.packed(wanted))
    if row is None:
        return None
    name, element = next(
        (name, place) for name in columns if (place := _element(rows, name, row)) is not None
    )
    left = _element(rows, name, stray())
    return name, Difference("wrong_output", message, element, stored=None if left is None else (left, None))


def _element(rows: Rows, name: str, row: int | None) -> int | None:
    """The first element of an array in a row, if there is one."""
    if row is None:
        return None
    places = rows.places[name][row]
    return next(iter(places[places >= 0].tolist()), None)


def _has_floats(packed: Packed) -> bool:
    return any(bfloat16.is_float(packed.dtype[field]) for field in packed.dtype.names or ())


def _message(names: Sequence[str]) -> str:
    if len(names) == 1:
        return "an element of the reference is nowhere where it may be"
    return f"what the reference has at one place of {', '.join(names)} is nowhere together"


def _absent(wanted: npt.NDArray[np.void], got: npt.NDArray[np.void]) -> int | None:
    """The first of the wanted rows of which there are more than a program left."""
    order, left = np.argsort(wanted, kind="stable"), np.sort(got)
    if np.array_equal(wanted[order], left):
        return None
    counts = dict(zip(*_counted(left), strict=True))
    for row, one in enumerate(wanted):
        counts[one.tobytes()] = counts.get(one.tobytes(), 0) - 1
        if counts[one.tobytes()] < 0:
            return row
    raise AssertionError("as many rows, and none is missing")


def _counted(rows: npt.NDArray[np.void]) -> tuple[list[bytes], list[int]]:
    kinds, counts = np.unique(rows, return_counts=True)
    return [one.tobytes() for one in kinds], counts.tolist()


class _Near:
    """Rows whose floats need only be near: `exact` has the bytes of all else, `floats` and `bounds` a column
    for each float.
    """

    def __init__(
        self,
        rows: Rows,
        columns: Mapping[str, Column],
        near: Collection[str],
        wanted: Mapping[str, Packed],
        got: Mapping[str, Packed],
        roundings: int,
    ) -> None:
        count = len(rows.ranges)
        exact = [rows.ranges.astype(">i8").view(np.uint8).reshape(count, 8)] * 2
        floats: list[list[Floats]] = [[], [], []]
        for name, one in columns.items():
            scale = scale_of(wanted[name])
            for number, field in enumerate(wanted[name].dtype.names or ()):
                sides = [rows.gathered(name, array[name][field]) for array in (wanted, got)]
                if name in near and bfloat16.is_float(wanted[name].dtype[field]):
                    margin = one.expected.margin
                    margin_of = None if margin is None else margin[:, number]
                    bound = within(wanted[name][field], margin_of, scale, roundings)
                    values = [bfloat16.as_floats(side).astype(np.float64) for side in sides]
                    for place, part in enumerate((*values, rows.gathered(name, bound))):
                        floats[place].append(part)
                else:
                    exact = [
                        np.concatenate([one, as_bytes(side.reshape(-1)).reshape(count, -1)], axis=1)
                        for one, side in zip(exact, sides, strict=True)
                    ]
        self.exact = [np.ascontiguousarray(one).view(f"V{one.shape[1]}").reshape(-1) for one in exact]
        self.wanted, self.got, self.bounds = (np.concatenate(parts, axis=1) for parts in floats)

    def unmatched(self) -> int | None:
        """A wanted row for which no row is left that is near it, however the others are matched."""
        kinds, numbers = np.unique(np.concatenate(self.exact), return_inverse=True)
        of_wanted, of_got = np.split(numbers.reshape(-1), 2)
        orders = [
            np.lexsort([*values.T[::-1], kind])
            for values, kind in ((self.wanted, of_wanted), (self.got, of_got))
        ]
        kind_of = of_wanted[orders[0]]
        differ = kind_of != of_got[orders[1]]
        if differ.any():
            counts = [np.bincount(one, minlength=len(kinds)) for one in (of_wanted, of_got)]
            missing = np.flatnonzero((counts[0] > counts[1])[of_wanted])
            return int(missing[0])
        near = close(self.wanted[orders[0]], self.got[orders[1]], self.bounds[orders[0]]).all(axis=-1)
        near = near.reshape(-1)
        for kind in dict.fromkeys(kind_of[~near].tolist()):
            here = kind_of == kind
            row = self._matched(orders[0][here], orders[1][here], near[here])
            if row is not None:
                return row
        return None

    def stray(self) -> int | None:
        """The first row of the program's that is near none that is wanted, if there is one."""
        for row, (kind, floats) in enumerate(zip(self.exact[1], self.got, strict=True)):
            alike = self.exact[0] == kind
            if not close(self.wanted[alike], floats, self.bounds[alike]).all(axis=1).any():
                return row
        return None

    def _matched(
        self, wanted: npt.NDArray[np.int64], got: npt.NDArray[np.int64], near: npt.NDArray[np.bool_]
    ) -> int | None:
        """A row that finds no partner, however rows of one kind are paired; those `near` begin as pairs."""
        taken = {place: place for place in np.flatnonzero(near).tolist()}
        partner = dict(taken)
        for start in np.flatnonzero(~near).tolist():
            # A row may take the partner of another that finds a new one, and so on, up to one that is free.
            came_from: dict[int, int] = {}
            pending, free = collections.deque([start]), None
            while pending and free is None:
                row = pending.popleft()
                one = wanted[row]
                fits = close(self.wanted[one], self.got[got], self.bounds[one]).all(axis=1)
                for place in np.flatnonzero(fits).tolist():
                    if place not in came_from:
                        came_from[place] = row
                        if place not in taken:
                            free = place
                            break
                        pending.append(taken[place])
            if free is None:
                return int(wanted[start])
            while free is not None:
                row = came_from[free]
                taken[free], partner[row], free = row, free, partner.get(row)
        return None
