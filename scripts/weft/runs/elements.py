"""Which element of which array an access meant: a device knows addresses only."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence

_OUTSIDE = re.compile(r"(read|write) (\d+) bytes (past the end of|before) an allocation of (\d+) bytes")
_INSIDE = re.compile(r"\d+ bytes at byte (\d+) of an allocation of (\d+) bytes")


@dataclasses.dataclass(frozen=True)
class Stored:
    """An array as it lies in memory."""

    name: str
    shape: tuple[int, ...]
    element_bytes: int

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.element_bytes


def with_elements(message: str, arrays: Sequence[Stored]) -> str:
    """A message in which an access names an element of the arrays that are as large as its allocation."""

    def outside(found: re.Match[str]) -> str:
        access, distance, side, size = found[1], int(found[2]), found[3], int(found[4])
        place = _element(size + distance if side.startswith("past") else -distance, size, arrays)
        return f"{access} of {place}" if place else found[0]

    def inside(found: re.Match[str]) -> str:
        return _element(int(found[1]), int(found[2]), arrays) or found[0]

    return _INSIDE.sub(inside, _OUTSIDE.sub(outside, message))


def _element(at: int, size: int, arrays: Sequence[Stored]) -> str:
    """What is at a byte of an allocation of some size; empty if no array is as large."""
    named: dict[str, list[str]] = {}
    for one in arrays:
        if one.bytes == size and one.element_bytes:
            extent = " x ".join(map(str, one.shape))
            place = f"element {at // one.element_bytes} of an array of {extent}"
            named.setdefault(place, []).append(one.name)
    return ", or ".join(f"{place} ({' or '.join(names)})" for place, names in named.items())
