"""Which cases a sample is executed on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

LARGE = 10_000
"""Above this many: base sizes take one input seed only, and arrays are stored as a hash and some elements."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One execution of a sample: its base size `n` and its input seed."""

    size: int
    seed: int


def cases(sizes: Sequence[int], seeds: Sequence[int]) -> tuple[Case, ...]:
    """Every size with every seed, in the order given; sizes above LARGE with the first seed only."""
    return tuple(Case(size, seed) for size in sizes for seed in (seeds if size <= LARGE else seeds[:1]))
