"""Near-duplicates: kernels whose sets of 5-token shingles overlap by a Jaccard index of 0.7 or more.

Candidates come from MinHash with 256 permutations and banded locality-sensitive hashing (Broder 1997; the
library rensa); each candidate pair is then compared exactly, so that a pair that is counted is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from rensa import RMinHash, RMinHashLSH

WIDTH = 5
"""Tokens in a shingle."""

THRESHOLD = 0.7
"""Jaccard index from which two kernels are near-duplicates."""

_PERMUTATIONS = 256
_BANDS = 64
"""Of four rows each: a pair at the threshold is missed once in 40 million times."""


def shingles(tokens: Sequence[str]) -> frozenset[str]:
    """All runs of 5 tokens; a shorter text is one shingle."""
    return frozenset(" ".join(tokens[at : at + WIDTH]) for at in range(max(1, len(tokens) - WIDTH + 1)))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared shingles over all shingles."""
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


class NearIndex:
    """Sets, to be asked which of them are like another one."""

    def __init__(self, sets: Sequence[frozenset[str]]) -> None:
        self.sets = sets
        self.hashes = _hashes(sets)
        self.index = RMinHashLSH(threshold=THRESHOLD, num_perm=_PERMUTATIONS, num_bands=_BANDS)
        self.index.insert_many(self.hashes)

    def like(self, one: frozenset[str]) -> list[int]:
        """The positions of the sets whose Jaccard index with this one reaches the threshold."""
        (candidates,) = self.index.query_all(_hashes([one]))
        return [at for at in sorted(candidates) if _alike(self.sets[at], one)]


def near_pairs(sets: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """All pairs of positions (first, later) whose Jaccard index reaches the threshold."""
    index = NearIndex(sets)
    pairs = []
    for later, candidates in enumerate(index.index.query_all(index.hashes)):
        for first in sorted(candidates):
            if first < later and _alike(sets[first], sets[later]):
                pairs.append((first, later))
    return pairs


def _hashes(sets: Sequence[frozenset[str]]) -> list[RMinHash]:
    tokens = [sorted(one) for one in sets]
    hashes: list[RMinHash] = RMinHash.from_token_sets(tokens, num_perm=_PERMUTATIONS, seed=1)
    return hashes


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Is the index at the threshold? Sets of too different sizes cannot overlap enough."""
    smaller, larger = sorted((len(left), len(right)))
    return smaller >= THRESHOLD * larger and jaccard(left, right) >= THRESHOLD
