"""Variables that loops carry on: how far they grow."""

from __future__ import annotations

import dataclasses
import functools

from weft.ir.index_values import NOTHING, Meaning, upper, values
from weft.ir.symbolic_bounds import Bound, add, bound, multiply


@dataclasses.dataclass
class Counters:
    """The loops around a statement, and what each statement adds to a variable.

    `trips` has the number of iterations of each loop, None where it is not known. `sites` has by variable,
    then by place, how much is added there altogether, and `starts` what that is added to.
    """

    trips: list[Bound | None] = dataclasses.field(default_factory=list)
    sites: dict[str, dict[tuple[int, int], Bound]] = dataclasses.field(default_factory=dict)
    starts: dict[str, dict[Bound | None, None]] = dataclasses.field(default_factory=dict)

    def enter(self, below: Meaning | None) -> None:
        """A loop begins whose variable has these values; None for a loop without one."""
        known = _only_limit(below or NOTHING)
        self.trips.append(None if known is None else add(known, bound({(): 1})))

    def leave(self) -> None:
        """The innermost loop ends."""
        self.trips.pop()

    def grown(self, name: str, place: tuple[int, int], before: Meaning, step: Meaning) -> list[Bound] | None:
        """How far all statements so far let a variable grow, this one by `step` an iteration, if known."""
        starts = self.starts.setdefault(name, {})
        for item in values(before):
            # What it has grown to already is no beginning.
            if item.kind != "span" or name not in self.sites:
                starts[upper(item)] = None
        added = self._added(name, place, step)
        known = [start for start in starts if start is not None]
        if added is None or len(known) < len(starts):
            return None
        return [add(added, start) for start in known] or [added]

    def _added(self, name: str, place: tuple[int, int], step: Meaning) -> Bound | None:
        total = _only_limit(step)
        if total is None:
            return None
        for trips in self.trips:
            if trips is None:
                return None
            total = multiply(total, trips)
        self.sites.setdefault(name, {})[place] = total
        return functools.reduce(add, self.sites[name].values())


def _only_limit(meaning: Meaning) -> Bound | None:
    """The greatest that a value can be of which one thing is known."""
    limits = [upper(item) for item in values(meaning)]
    return limits[0] if len(limits) == 1 else None
