"""Near-duplicates: kernels whose sets of 5-token shingles overlap by a Jaccard index of 0.7 or more.

Candidates come from MinHash with 256 permutations and banded locality-sensitive hashing (Broder 1997; the
library rensa); each candidate pair is then compared exactly, so that a pair that is counted is one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from rensa import RMinHash, RMinHashLSH

WIDTH = 5
"""Tokens in a shingle."""

THRESHOLD = 0.7
"""Jaccard index from which two kernels are near-duplicates."""

_PERMUTATIONS = 256
_BANDS = 64
"""Of four rows each: a pair at the threshold is missed once in 40 million times."""


@dataclasses.dataclass(frozen=True)
class Shingles:
    """The shingles of a text: their 64-bit hashes, each once and in order, and what MinHash makes of them.

    Of the texts themselves nothing is kept: tens of thousands of kernels are compared in memory.
    """

    hashes: npt.NDArray[np.uint64]
    sketch: RMinHash


def runs(tokens: Sequence[str]) -> list[str]:
    """All different runs of 5 tokens, sorted; a shorter text is one run."""
    return sorted({" ".join(tokens[at : at + WIDTH]) for at in range(max(1, len(tokens) - WIDTH + 1))})


def shingles(tokens: Sequence[str]) -> Shingles:
    """The shingles of a text that is given by its tokens."""
    found = runs(tokens)
    sketch = RMinHash(num_perm=_PERMUTATIONS, seed=1)
    sketch.update(found)
    (hashes,) = RMinHash.hash_token_sets([found])
    return Shingles(np.unique(np.array(hashes, dtype=np.uint64)), sketch)


def jaccard(left: Shingles, right: Shingles) -> float:
    """Shared shingles over all shingles."""
    shared = np.intersect1d(left.hashes, right.hashes, assume_unique=True).size
    return float(shared / (left.hashes.size + right.hashes.size - shared))


class NearIndex:
    """Shingles of texts, to be asked which of them are like those of another text."""

    def __init__(self, texts: Iterable[Shingles] = ()) -> None:
        self.texts: list[Shingles] = []
        self.index = RMinHashLSH(threshold=THRESHOLD, num_perm=_PERMUTATIONS, num_bands=_BANDS)
        for one in texts:
            self.add(one)

    def add(self, one: Shingles) -> None:
        """Take a text into the index."""
        self.index.insert(len(self.texts), one.sketch)
        self.texts.append(one)

    def like(self, one: Shingles) -> list[int]:
        """The positions of the texts whose Jaccard index with this one reaches the threshold."""
        return [at for at in sorted(self.index.query(one.sketch)) if _alike(self.texts[at], one)]


def near_pairs(texts: Iterable[Shingles]) -> Iterator[tuple[int, int]]:
    """All pairs of positions (first, later) whose Jaccard index reaches the threshold."""
    index = NearIndex()
    for later, one in enumerate(texts):
        for first in index.like(one):
            yield first, later
        index.add(one)


def _alike(left: Shingles, right: Shingles) -> bool:
    """Is the index at the threshold? Sets of too different sizes cannot overlap enough."""
    smaller, larger = sorted((left.hashes.size, right.hashes.size))
    return bool(smaller >= THRESHOLD * larger) and jaccard(left, right) >= THRESHOLD
