"""Which cases a sample is executed on."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from weft.recipes import MAIN_SEED, MAIN_SIZE

LARGE = 10_000
"""Above this many: base sizes take one input seed only, the first and the last of the seeds by turns, and
arrays are stored as a hash and some elements."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One execution of a sample: its base size `n` and its input seed."""

    size: int
    seed: int


MAIN = Case(MAIN_SIZE, MAIN_SEED)
"""The case of a program's own `main`."""


def cases(sizes: Sequence[int], seeds: Sequence[int]) -> tuple[Case, ...]:
    """Every size with as many seeds as are given, in this order; sizes above LARGE have one. MAIN is the
    last if the sizes go so far: a user's kernel may be right only for smaller sizes.

    Those of the first size are `seeds`, and each further size has others: what has the same shape for every
    size (a table, a row of a tile) would else be the same few numbers in all cases, and hide what is wrong
    beside them.
    """
    step = max(seeds) + 1
    by_turns = itertools.cycle([seeds[:1], seeds[-1:]])
    chosen = [
        Case(size, (seed + number * step) % 2**32)
        for number, size in enumerate(sizes)
        for seed in (seeds if size <= LARGE else next(by_turns))
    ]
    return tuple(dict.fromkeys([*chosen, *([MAIN] if max(sizes) >= MAIN.size else [])]))
