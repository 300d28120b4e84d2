"""Rows of arrays whose elements may come in any order: what belongs to one slot, and who exchanges with whom.

A row has what a group of arrays (weft.slots) holds at one slot. In each order of the threads there are the
same rows, in other places of the same *range*: of what one element of the counter handed out.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.launch import Launch
from weft.reference.cases import LARGE
from weft.reference.layout import Packed
from weft.sizes import evaluate_size
from weft.slots import SlotArray, SlotGroup, alone

Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
"""Numbers of elements, or -1 for none: [rows, elements of a row]."""


@dataclasses.dataclass(frozen=True)
class Rows:
    """The rows of a group in one case: which elements of each array they have, and in which range each is."""

    places: Mapping[str, Places]
    ranges: npt.NDArray[np.int64]

    def gathered(self, name: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of each row what `values`, which has an entry for each element of an array, says of its elements;
        zeros where it has none."""
        places = self.places[name]
        found = values[places]
        found[places < 0] = np.zeros((), values.dtype)
        return found

    def packed(self, arrays: Mapping[str, Packed]) -> npt.NDArray[np.void]:
        """Each row with its range as one piece of bytes."""
        parts = [self.ranges.astype(">i8").view(np.uint8).reshape(-1, 8)]
        for name in self.places:
            row = self.gathered(name, arrays[name])
            parts.append(np.ascontiguousarray(row).view(np.uint8).reshape(len(row), -1))
        whole = np.ascontiguousarray(np.concatenate(parts, axis=1))
        return whole.view(f"V{whole.shape[1]}").reshape(-1)

    def digest(self, arrays: Mapping[str, Packed]) -> bytes:
        """A hash of the rows that is the same in every order."""
        return hashlib.sha256(np.sort(self.packed(arrays)).tobytes()).digest()


def groups_of(launch: Launch, outputs: Sequence[str]) -> tuple[SlotGroup, ...]:
    """The groups of outputs whose elements may come in any order."""
    if launch.equality != "permutation":
        return ()
    return launch.slots or tuple(map(alone, outputs))


def rows_of(
    launch: Launch, group: SlotGroup, n: int, before: Mapping[str, Packed], after: Mapping[str, Packed | None]
) -> Rows:
    """The rows of a group for base size `n`, given arrays before a launch, and after the reference's launch
    as far as they are known (None: not).
    """
    names = launch.named_sizes(n)
    laid = {name: _laid(launch.storage_shape(name, n), one, names) for name, one in group.arrays.items()}
    lists, slots = (max(one.shape[axis] for one in laid.values()) for axis in (0, 1))
    places = {
        name: np.pad(
            one, [(0, lists - one.shape[0]), (0, slots - one.shape[1]), (0, 0)], constant_values=-1
        ).reshape(lists * slots, -1)
        for name, one in laid.items()
    }
    ends = _ends(launch, group, n, before, after)
    together = all(not one.apart and one.length is None for one in group.arrays.values())
    numbers = np.arange(slots)
    ranges = np.zeros((lists, slots), np.int64)
    if ends is not None and together:
        ranges[:] = np.searchsorted(np.unique(ends), numbers, side="right")
    elif ends is not None:
        for bucket in range(min(lists, ends.shape[1])):
            ranges[bucket] = np.searchsorted(np.unique(ends[:, bucket]), numbers, side="right")
    ranges += np.arange(lists)[:, np.newaxis] * (slots + 1)
    return Rows(places, ranges.reshape(-1))


def _laid(shape: Sequence[int], one: SlotArray, sizes: Mapping[str, int]) -> Places:
    """The numbers of an array's elements: [lists that are apart, slots, elements of a slot], -1 for none."""
    numbers: Places = np.arange(math.prod(shape)).reshape(shape)
    if one.axis is None:
        return numbers.reshape(1, -1, 1)
    rest = [axis for axis in range(len(shape)) if axis != one.axis and axis not in one.apart]
    moved = numbers.transpose(*one.apart, one.axis, *rest)
    stride = evaluate_size(one.stride, sizes)
    lists: Places = moved.reshape(math.prod(moved.shape[: len(one.apart)]), shape[one.axis], -1)
    if one.length is not None:
        lists = _cut(lists, evaluate_size(one.length, sizes) * stride)
        lists = lists.reshape(-1, *lists.shape[2:])
    cut = _cut(lists, stride)
    return cut.reshape(*cut.shape[:2], -1)


def _cut(numbers: Places, length: int) -> Places:
    """The second axis in pieces of a length, of which the last is filled up with -1."""
    missing = -numbers.shape[1] % length
    padded = np.pad(numbers, [(0, 0), (0, missing), (0, 0)], constant_values=-1)
    return padded.reshape(numbers.shape[0], -1, length, numbers.shape[2])


def _ends(
    launch: Launch, group: SlotGroup, n: int, before: Mapping[str, Packed], after: Mapping[str, Packed | None]
) -> npt.NDArray[np.int64] | None:
    """Where ranges of slots begin and end, [ends, elements of the counter]; None where nobody knows."""
    if group.counter is None:
        return None
    last = _numbers(after.get(group.counter))
    start = np.zeros(1, np.int64) if group.base is None else _numbers(before.get(group.base))
    if last is None or start is None or len(last) > LARGE:
        return None
    ends = [last]
    # What a counter holds before the launch of a kernel is not known where other launches come first.
    if not launch.steps and (first := _numbers(before.get(group.counter))) is not None:
        ends.append(first)
    shape = launch.storage_shape(group.counter, n)
    chosen = tuple(slice(None) if one is None else one for one in group.element)
    found = np.stack([one.reshape(shape)[chosen].reshape(-1) for one in ends])
    # There may be a base more than lists: the end of the last.
    return None if 1 < len(start) < found.shape[1] else found + start[: found.shape[1]]


def _numbers(array: Packed | None) -> npt.NDArray[np.int64] | None:
    """An array of integers as numbers."""
    return None if array is None else array["c0"].astype(np.int64)
