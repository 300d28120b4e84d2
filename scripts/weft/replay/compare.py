"""What was recorded of a sample beside what came out now."""

from __future__ import annotations

import dataclasses
from itertools import takewhile, zip_longest

from weft.files import sha256
from weft.replay.parts import Parts

SHOWN = 100
"""Characters of a line that differs."""
NOT_HERE = "not made again: it needs a GPU"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One part: the hashes of what was recorded and of what came out now, None for what is not there."""

    part: str
    recorded: str | None
    made: str | None
    first_difference: str = ""

    @property
    def skipped(self) -> bool:
        """Whether only a GPU could tell."""
        return self.part == "verdict cuda"

    @property
    def differs(self) -> bool:
        """Whether it is not what it was."""
        return self.recorded != self.made and not self.skipped

    def __str__(self) -> str:
        if self.skipped:
            return f"{self.part}: {NOT_HERE}"
        if not self.differs:
            return f"{self.part}: {self.recorded}, the same"
        return f"{self.part}: {self.recorded} was recorded, {self.made} came out{self.first_difference}"


def compare(recorded: Parts, made: Parts) -> list[Comparison]:
    """Every part that was recorded, and what came out now that shows a kernel's end."""
    names = [*recorded, *(name for name in made if name.startswith("reject ") and name not in recorded)]
    return [_compared(name, recorded.get(name), made.get(name)) for name in names]


def _compared(name: str, before: str | None, now: str | None) -> Comparison:
    first = ""
    if before is not None and now is not None and before != now:
        lines = zip_longest(before.splitlines(), now.splitlines())
        number, old, new = next((n, *two) for n, two in enumerate(lines, 1) if two[0] != two[1])
        first = f"; first in line {number}:\n      {_near(old, new)}\n      {_near(new, old)}"
    return Comparison(name, _hash(before), _hash(now), first)


def _near(line: str | None, other: str | None) -> str:
    """What a line has around where it first differs from the other: a line of JSON may be a whole text."""
    if line is None:
        return "(no such line)"
    same = takewhile(lambda two: two[0] == two[1], zip(line, other or "", strict=False))
    start = max(0, len(list(same)) - SHOWN // 2)
    end = start + SHOWN
    return f"{'…' * (start > 0)}{line[start:end]}{'…' * (end < len(line))}"


def _hash(text: str | None) -> str | None:
    return None if text is None else sha256(text.encode())[:16]
