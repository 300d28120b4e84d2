"""Which kernels of a shard are workloads: each workload in its turn, and of each only draws that differ."""

from __future__ import annotations

import copy
import functools
import keyword
import re
from collections.abc import Iterator

from weft.kernels.policy import written_share
from weft.kernels.rng import Random
from weft.kernels.workloads import NO_CODE, Workload, WrittenProgram

ALIKE = 0.7
"""Two draws are too much alike if they have this share of their runs of tokens in common (Jaccard)."""
RUN = 5
"""Tokens of a run."""
DRAWS = 12
"""How often a workload is drawn until it differs from its draws before; then the shard has no more of it."""

_KEPT = frozenset({"wp", "range", "int", "float", "bool", *keyword.kwlist})
_TOKEN = re.compile(r"\.?\w+|[^\w\s]")

Runs = frozenset[tuple[str, ...]]


class Written:
    """The workloads of a shard, all of one difficulty if a level is given.

    Places are decided in their order, from the first on, so that a longer shard begins with the same ones.
    """

    def __init__(
        self, workloads: tuple[Workload, ...], category: str, revision: int, seed: int, level: str | None
    ) -> None:
        self.workloads = workloads
        self.key = (revision, seed)
        self.category = category
        self.level = level
        self.seen: list[Runs] = []
        self.programs = self._programs()
        self.places: list[WrittenProgram | None] = []

    def at(self, index: int) -> WrittenProgram | None:
        """The workload of kernel `index`, a copy to be renamed; None where a composed kernel comes.

        Raises Undefined for a mistake in a template.
        """
        while len(self.places) <= index:
            rng = Random(f"places of {self.category}", *self.key, len(self.places))
            chosen = rng.chance(written_share(len(self.workloads), len(self.places)))
            self.places.append(next(self.programs, None) if chosen else None)
        return copy.deepcopy(self.places[index])

    def _programs(self) -> Iterator[WrittenProgram]:
        """All workloads come, in a drawn order, before one comes again."""
        free, turn = list(self.workloads), 0
        while free:
            for workload in Random(f"workloads of {self.category}", *self.key, turn).shuffled(free):
                if program := self._fresh(workload, turn):
                    yield program
                else:
                    free.remove(workload)
            turn += 1

    def _fresh(self, workload: Workload, turn: int) -> WrittenProgram | None:
        """A draw that differs from all before, and is noted with them."""
        for draw in range(DRAWS):
            program = workload.made(Random(f"{self.category}/{workload.name}", *self.key, turn, draw))
            own = runs(program)
            if self.level in (None, program.difficulty) and not any(alike(own, one) for one in self.seen):
                self.seen.append(own)
                return program
        return None


@functools.lru_cache(maxsize=64)
def written(
    workloads: tuple[Workload, ...], category: str, revision: int, seed: int, level: str | None
) -> Written:
    """The workloads of a shard, each made once."""
    return Written(workloads, category, revision, seed, level)


class Composed:
    """The composed kernels of a shard, of which each differs from those before.

    They are made in their order; of each place it is known then which draw is in it.
    """

    def __init__(self) -> None:
        self.draws: list[int] = []
        self.seen: list[Runs] = []

    def is_new(self, text: str) -> bool:
        """Does a kernel differ from all before? Then it is noted with them."""
        own = runs(text)
        if any(alike(own, other) for other in self.seen):
            return False
        self.seen.append(own)
        return True


@functools.lru_cache(maxsize=64)
def composed(
    workloads: tuple[Workload, ...],
    category: str,
    revision: int,
    seed: int,
    difficulty: tuple[tuple[str, float], ...],
) -> Composed:
    """The composed kernels of a shard, as far as they are made."""
    return Composed()


def runs(program: WrittenProgram | str) -> Runs:
    """All runs of the tokens of a program, or of its text, with names, docstrings and comments taken out."""
    if isinstance(program, WrittenProgram):
        program = "\n".join(one.text for one in program.definitions)
    text = NO_CODE.sub("", program)
    tokens = ["name" if one.isidentifier() and one not in _KEPT else one for one in _TOKEN.findall(text)]
    return frozenset(tuple(tokens[at : at + RUN]) for at in range(max(1, len(tokens) - RUN + 1)))


def alike(left: Runs, right: Runs) -> bool:
    """Do two draws have so many runs in common that a reader learns nothing new from the second?"""
    shared = len(left & right)
    return shared >= ALIKE * (len(left) + len(right) - shared)
