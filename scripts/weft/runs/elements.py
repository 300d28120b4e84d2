"""Which element of which array an access outside of an allocation meant: a device knows addresses only."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence

_OUTSIDE = re.compile(r"(read|write) (\d+) bytes (past the end of|before) an allocation of (\d+) bytes")


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

    def element(found: re.Match[str]) -> str:
        access, distance, side, size = found[1], int(found[2]), found[3], int(found[4])
        at = size + distance if side.startswith("past") else -distance
        named: dict[str, list[str]] = {}
        for one in arrays:
            if one.bytes == size and one.element_bytes:
                extent = " x ".join(map(str, one.shape))
                named.setdefault(f"element {at // one.element_bytes} of an array of {extent}", []).append(
                    one.name
                )
        places = [f"{place} ({' or '.join(names)})" for place, names in named.items()]
        return f"{access} of {', or '.join(places)}" if places else found[0]

    return _OUTSIDE.sub(element, message)
