"""Null programs: zeros, a constant, a copy of an input, a kernel that never ran. Cases must tell them apart.

A case that a null program passes proves nothing. So for every output array each null program is tried on
every case; a sample whose output arrays can all be made so is `insensitive`, however well its program did.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from weft.reference.store import Expected, Packed, as_bytes, canonical
from weft.runs.judge import matches


@dataclasses.dataclass
class NullPrograms:
    """Null programs that still pass, for each output array, after the cases observed so far."""

    _alive: dict[str, dict[str, bytes | None]] = dataclasses.field(default_factory=dict)
    _observed: bool = False

    def observe(self, expected: Mapping[str, Expected], before: Mapping[str, Packed]) -> None:
        """Take in one case: what the reference left in the outputs, and what arrays held before."""
        for name, wanted in expected.items():
            start = before[name]
            if not self._observed:
                self._alive[name] = {"never launched": None, "zeros": None, "constant": _first(wanted)}
                self._alive[name] |= {f"copy of {other}": None for other in before if other != name}
            self._alive[name] = {
                program: constant
                for program, constant in self._alive[name].items()
                if _passes(program, constant, wanted, start, before)
            }
        self._observed = True

    def passing(self) -> dict[str, str]:
        """The null program that passes every case, for each output array; empty if one array has none."""
        if not all(self._alive.values()):
            return {}
        return {name: next(iter(programs)) for name, programs in self._alive.items()}


def _first(wanted: Expected) -> bytes:
    """The element that the program 'constant' writes everywhere: one that the first case has."""
    kept = wanted.value if wanted.value is not None else wanted.sample_value
    assert kept is not None
    return bytes(kept[0].tobytes())


def _passes(
    program: str, constant: bytes | None, wanted: Expected, start: Packed, before: Mapping[str, Packed]
) -> bool:
    if program == "never launched":
        return matches(wanted, start)
    if program == "zeros":
        return matches(wanted, np.zeros_like(start))
    if constant is not None:
        if constant != _first(wanted):
            return False
        return matches(wanted, np.frombuffer(constant * len(start), dtype=start.dtype))
    other = canonical(before[program.removeprefix("copy of ")])
    if as_bytes(other).shape != as_bytes(start).shape:
        return False
    return matches(wanted, np.frombuffer(other.tobytes(), dtype=start.dtype))
